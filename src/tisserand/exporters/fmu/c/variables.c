/* Variables by value reference. */
#include "model.h"

int model_get(const Model *m, unsigned int reference, double *value)
{
    double outputs[AT_LEAST_ONE(MODEL_OUTPUTS)], rates[AT_LEAST_ONE(MODEL_STATES)];
    unsigned int i = reference;
    if (i < MODEL_PARAMETERS) { *value = m->parameters[i]; return 0; }
    i -= MODEL_PARAMETERS;
    if (i < MODEL_INPUTS) { *value = m->inputs[i]; return 0; }
    i -= MODEL_INPUTS;
    if (i < MODEL_OUTPUTS) {
        if (model_outputs(m, outputs)) return 1;
        *value = outputs[i];
        return 0;
    }
    i -= MODEL_OUTPUTS;
    if (i < MODEL_STATES) { *value = m->states[i]; return 0; }
    i -= MODEL_STATES;
    if (i < MODEL_STATES) {
        if (model_rates(m, m->time, m->states, rates)) return 1;
        *value = rates[i];
        return 0;
    }
    return 1;
}

int model_set(Model *m, unsigned int reference, double value)
{
    unsigned int i = reference;
    if (i < MODEL_PARAMETERS) { m->parameters[i] = value; return 0; }
    i -= MODEL_PARAMETERS;
    if (i < MODEL_INPUTS) { m->inputs[i] = value; return 0; }
    i -= MODEL_INPUTS;
    if (i < MODEL_OUTPUTS) return 1;
    i -= MODEL_OUTPUTS;
    if (i < MODEL_STATES) { m->states[i] = value; return 0; }
    return 1;
}
