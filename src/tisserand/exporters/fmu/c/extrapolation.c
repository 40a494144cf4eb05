/* Steps of a smooth system: Gragg's midpoint rule extrapolated to step zero (Hairer, Norsett, Wanner, section II.9). */
#include <math.h>
#include "model.h"

#define COLUMNS 10
#define N AT_LEAST_ONE(MODEL_STATES)

/* Midpoint rule with n substeps over h, without smoothing: its error has even powers of h / n. */
static int midpoint(const Model *m, double t, const double *x, double h, int n, double *out)
{
    double before[N], now[N], rates[N], next;
    double step = h / n;
    int i, k;
    if (model_rates(m, t, x, rates)) return 1;
    for (i = 0; i < MODEL_STATES; i++) { before[i] = x[i]; now[i] = x[i] + step * rates[i]; }
    for (k = 1; k < n; k++) {
        if (model_rates(m, t + k * step, now, rates)) return 1;
        for (i = 0; i < MODEL_STATES; i++) {
            next = before[i] + 2.0 * step * rates[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    for (i = 0; i < MODEL_STATES; i++) out[i] = now[i];
    return 0;
}

/* One step: 0 and the states at t + h, 1 where the columns do not agree within the tolerance, 2 where the model fails. */
static int extrapolated(const Model *m, double t, const double *x, double h, double tolerance, double *out, int *used)
{
    double table[COLUMNS][N], size, error, old, corrected;
    int i, j, k;
    for (k = 0; k < COLUMNS; k++) {
        int n = 2 * (k + 1);
        double row[N];
        if (midpoint(m, t, x, h, n, row)) return 2;
        error = 0.0;
        for (i = 0; i < MODEL_STATES; i++) {
            corrected = row[i];
            for (j = 0; j < k; j++) {
                double ratio = (double)n / (2.0 * (k - j));
                old = table[j][i];
                table[j][i] = corrected;
                corrected += (corrected - old) / (ratio * ratio - 1.0);
            }
            size = 1e-3 + fabs(x[i]) + fabs(corrected);
            if (k > 0) error = fmax(error, fabs(corrected - table[k - 1][i]) / size);
            table[k][i] = corrected;
            out[i] = corrected;
        }
        *used = k + 1;
        if (!(error < 1e6)) return 1;
        if (k > 1 && error <= tolerance) return 0;
    }
    return 1;
}

int model_advance(Model *m, double h, double tolerance)
{
    double t = m->time, end = m->time + h, step = h, next[N];
    int i, used = 0, answer;
    double least = 1e-12 * fmax(fabs(h), 1e-30);
    if (!(h >= 0.0) || !isfinite(end)) return 1;
    if (MODEL_STATES == 0) { m->time = end; return 0; }
    while (end - t > least) {
        if (t + step > end || end - t - step < least) step = end - t;
        answer = extrapolated(m, t, m->states, step, tolerance, next, &used);
        if (answer == 2) return 1;
        if (answer == 1) {
            step *= 0.4;
            if (step < 1e-9 * h) return 1;
            continue;
        }
        for (i = 0; i < MODEL_STATES; i++) m->states[i] = next[i];
        t += step;
        if (used <= 7) step *= 1.6;
    }
    m->time = end;
    return 0;
}
