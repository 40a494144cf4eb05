/* What every model states (model.c) and every wrapper uses (fmi2.c, fmi3.c, extrapolation.c). Numbers are SI.
 * Value references count parameters, inputs, outputs, states and derivatives of states, in this order. */
#ifndef TISSERAND_MODEL_H
#define TISSERAND_MODEL_H
#include "sizes.h" /* MODEL_STATES, MODEL_INPUTS, MODEL_OUTPUTS, MODEL_PARAMETERS, MODEL_IDENTIFIER, MODEL_TOKEN */

#define AT_LEAST_ONE(n) ((n) > 0 ? (n) : 1)

typedef struct {
    double time;
    double parameters[AT_LEAST_ONE(MODEL_PARAMETERS)];
    double inputs[AT_LEAST_ONE(MODEL_INPUTS)];
    double states[AT_LEAST_ONE(MODEL_STATES)];
} Model;

/* Parameters and states as they are before anything is set; inputs zero. */
void model_start(Model *m);
/* Rates of the states x at time t with the inputs of m; returns 0, or 1 where the model has no solution. */
int model_rates(const Model *m, double t, const double *x, double *rates);
/* Outputs at the time, states and inputs of m; returns as model_rates. */
int model_outputs(const Model *m, double *outputs);
/* Advance the states by h with constant inputs; returns 0, or 1 where no step length reaches the tolerance. */
int model_advance(Model *m, double h, double tolerance);

/* The variable of a value reference: 0 and its value, or 1 where there is none. */
int model_get(const Model *m, unsigned int reference, double *value);
/* Set a parameter, an input or a state; 1 for anything else. */
int model_set(Model *m, unsigned int reference, double value);
#endif
