/* Variables by value reference. */
#include "model.h"

/* Not as numbers: a comparison with a number that happens to be zero is an error of its own. */
static const unsigned int sizes[] = { MODEL_PARAMETERS, MODEL_INPUTS, MODEL_OUTPUTS, MODEL_STATES };
enum { PARAMETERS, INPUTS, OUTPUTS, STATES };

int model_get(const Model *m, unsigned int reference, double *value)
{
    double outputs[AT_LEAST_ONE(MODEL_OUTPUTS)], rates[AT_LEAST_ONE(MODEL_STATES)];
    unsigned int i = reference;
    if (i < sizes[PARAMETERS]) { *value = m->parameters[i]; return 0; }
    i -= sizes[PARAMETERS];
    if (i < sizes[INPUTS]) { *value = m->inputs[i]; return 0; }
    i -= sizes[INPUTS];
    if (i < sizes[OUTPUTS]) {
        if (model_outputs(m, outputs)) return 1;
        *value = outputs[i];
        return 0;
    }
    i -= sizes[OUTPUTS];
    if (i < sizes[STATES]) { *value = m->states[i]; return 0; }
    i -= sizes[STATES];
    if (i < sizes[STATES]) {
        if (model_rates(m, m->time, m->states, rates)) return 1;
        *value = rates[i];
        return 0;
    }
    return 1;
}

int model_set(Model *m, unsigned int reference, double value)
{
    unsigned int i = reference;
    if (i < sizes[PARAMETERS]) { m->parameters[i] = value; return 0; }
    i -= sizes[PARAMETERS];
    if (i < sizes[INPUTS]) { m->inputs[i] = value; return 0; }
    i -= sizes[INPUTS];
    if (i < sizes[OUTPUTS]) return 1;
    i -= sizes[OUTPUTS];
    if (i < sizes[STATES]) { m->states[i] = value; return 0; }
    return 1;
}
