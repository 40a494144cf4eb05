/* A linear model: rates = (A + (s^2 - 1) A1 + (s d - 1) A2) x + B w, outputs = r ((C + (s^2 - 1) C1 + (s d - 1) C2) x + D w), with
 * w = u / mass^lightened and r = mass^heavier; s, d and mass are the parameters. */
#include <math.h>
#include "model.h"
#include "matrices.h"

#define SCALE(m, i) (MODEL_PARAMETERS > (i) ? (m)->parameters[i] : 1.0)

void model_start(Model *m)
{
    int i;
    m->time = 0.0;
    for (i = 0; i < MODEL_PARAMETERS; i++) m->parameters[i] = 1.0;
    for (i = 0; i < MODEL_INPUTS; i++) m->inputs[i] = 0.0;
    for (i = 0; i < MODEL_STATES; i++) m->states[i] = start_states[i];
}

static void product(const Model *m, int rows, const double *P, const double *P1, const double *P2, const double *Q,
                    const double *x, double *out)
{
    double s = SCALE(m, 0), d = SCALE(m, 1), mass = SCALE(m, 2);
    double stiffer = s * s - 1.0, damped = s * d - 1.0;
    int i, j;
    for (i = 0; i < rows; i++) {
        double sum = 0.0;
        for (j = 0; j < MODEL_STATES; j++) {
            int at = i * MODEL_STATES + j;
            sum += (P[at] + stiffer * P1[at] + damped * P2[at]) * x[j];
        }
        for (j = 0; j < MODEL_INPUTS; j++)
            sum += Q[i * MODEL_INPUTS + j] * (lightened[j] ? m->inputs[j] / mass : m->inputs[j]);
        out[i] = sum;
    }
}

int model_rates(const Model *m, double t, const double *x, double *rates)
{
    (void)t;
    product(m, MODEL_STATES, A, A1, A2, B, x, rates);
    return 0;
}

int model_outputs(const Model *m, double *outputs)
{
    double mass = SCALE(m, 2);
    int i;
    product(m, MODEL_OUTPUTS, C, C1, C2, D, m->states, outputs);
    for (i = 0; i < MODEL_OUTPUTS; i++)
        if (heavier[i]) outputs[i] *= mass;
    return 0;
}
