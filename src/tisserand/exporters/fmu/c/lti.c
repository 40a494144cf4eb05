/* A linear model: rates = A x + B u, outputs = C x + D u, whose matrices depend on the parameters s (frequency), d (damping) and
 * mass. With f = s^2 - 1, g = s d - 1, h = mass - 1, l = 1 / mass - 1 a matrix is
 * P + h P_heavy + l P_light + f (P_stiff + h P_stiff_heavy) + g (P_damped + h P_damped_heavy); parts that are zero are NULL. */
#include <math.h>
#include "model.h"
#include "matrices.h"

typedef struct { const double *plain, *heavy, *light, *stiff, *stiff_heavy, *damped, *damped_heavy; } Parts;
#define PARTS(P) { P, P##_heavy, P##_light, P##_stiff, P##_stiff_heavy, P##_damped, P##_damped_heavy }
static const Parts rate_states = PARTS(A), rate_inputs = PARTS(B), output_states = PARTS(C), output_inputs = PARTS(D);

void model_start(Model *m)
{
    int i;
    m->time = 0.0;
    for (i = 0; i < MODEL_PARAMETERS; i++) m->parameters[i] = 1.0;
    for (i = 0; i < MODEL_INPUTS; i++) m->inputs[i] = 0.0;
    for (i = 0; i < MODEL_STATES; i++) m->states[i] = start_states[i];
}

static void add(const double *P, double factor, int rows, int columns, const double *x, double *out)
{
    int i, j;
    if (!P || factor == 0.0) return;
    for (i = 0; i < rows; i++) {
        double sum = 0.0;
        for (j = 0; j < columns; j++) sum += P[i * columns + j] * x[j];
        out[i] += factor * sum;
    }
}

static void add_all(const Model *m, const Parts *p, int rows, int columns, const double *x, double *out)
{
    double s = m->parameters[0], d = m->parameters[1], mass = m->parameters[2];
    double f = s * s - 1.0, g = s * d - 1.0, h = mass - 1.0, l = 1.0 / mass - 1.0;
    add(p->plain, 1.0, rows, columns, x, out);
    add(p->heavy, h, rows, columns, x, out);
    add(p->light, l, rows, columns, x, out);
    add(p->stiff, f, rows, columns, x, out);
    add(p->stiff_heavy, f * h, rows, columns, x, out);
    add(p->damped, g, rows, columns, x, out);
    add(p->damped_heavy, g * h, rows, columns, x, out);
}

int model_rates(const Model *m, double t, const double *x, double *rates)
{
    int i;
    (void)t;
    for (i = 0; i < MODEL_STATES; i++) rates[i] = 0.0;
    add_all(m, &rate_states, MODEL_STATES, MODEL_STATES, x, rates);
    add_all(m, &rate_inputs, MODEL_STATES, MODEL_INPUTS, m->inputs, rates);
    for (i = 0; i < MODEL_STATES; i++)
        if (!isfinite(rates[i])) return 1;
    return 0;
}

int model_outputs(const Model *m, double *outputs)
{
    int i;
    for (i = 0; i < MODEL_OUTPUTS; i++) outputs[i] = 0.0;
    add_all(m, &output_states, MODEL_OUTPUTS, MODEL_STATES, m->states, outputs);
    add_all(m, &output_inputs, MODEL_OUTPUTS, MODEL_INPUTS, m->inputs, outputs);
    for (i = 0; i < MODEL_OUTPUTS; i++)
        if (!isfinite(outputs[i])) return 1;
    return 0;
}
