/* FMI 3.0, model exchange and co-simulation, around model.h. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "model.h"

typedef void *Instance;
typedef int Status; /* 0 ok, 1 warning, 2 discard, 3 error, 4 fatal */
typedef uint32_t Reference;
typedef const char *Text;

#if defined _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#ifdef FMI3_FUNCTION_PREFIX
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define FMI3(name) PASTE(FMI3_FUNCTION_PREFIX, fmi3##name)
#else
#define FMI3(name) fmi3##name
#endif
#define OK 0
#define ERROR 3

EXPORT const char *FMI3(GetVersion)(void) { return "3.0"; }
EXPORT Status FMI3(SetDebugLogging)(Instance c, bool on, size_t n, const Text categories[])
{ (void)c; (void)on; (void)n; (void)categories; return OK; }

static Instance made(Text name, Text token)
{
    Model *m;
    if (!name || !token || strcmp(token, MODEL_TOKEN) != 0) return NULL;
    m = (Model *)calloc(1, sizeof(Model));
    if (m) model_start(m);
    return m;
}
EXPORT Instance FMI3(InstantiateModelExchange)(Text name, Text token, Text resources, bool visible, bool logging, void *environment,
                                               void *logger)
{ (void)resources; (void)visible; (void)logging; (void)environment; (void)logger; return made(name, token); }
EXPORT Instance FMI3(InstantiateCoSimulation)(Text name, Text token, Text resources, bool visible, bool logging, bool events,
                                              bool early, const Reference needed[], size_t n, void *environment, void *logger,
                                              void *update)
{
    (void)resources; (void)visible; (void)logging; (void)events; (void)early; (void)needed; (void)n; (void)environment;
    (void)logger; (void)update;
    return made(name, token);
}
EXPORT Instance FMI3(InstantiateScheduledExecution)(Text name, Text token, Text resources, bool visible, bool logging,
                                                    void *environment, void *logger, void *clock, void *lock, void *unlock)
{
    (void)name; (void)token; (void)resources; (void)visible; (void)logging; (void)environment; (void)logger; (void)clock;
    (void)lock; (void)unlock;
    return NULL;
}
EXPORT void FMI3(FreeInstance)(Instance c) { free(c); }
EXPORT Status FMI3(EnterInitializationMode)(Instance c, bool t, double tolerance, double start, bool s, double stop)
{ (void)t; (void)tolerance; (void)s; (void)stop; ((Model *)c)->time = start; return OK; }
EXPORT Status FMI3(ExitInitializationMode)(Instance c) { (void)c; return OK; }
EXPORT Status FMI3(EnterEventMode)(Instance c) { (void)c; return OK; }
EXPORT Status FMI3(Terminate)(Instance c) { (void)c; return OK; }
EXPORT Status FMI3(Reset)(Instance c) { model_start((Model *)c); return OK; }

EXPORT Status FMI3(GetFloat64)(Instance c, const Reference r[], size_t n, double v[], size_t nv)
{
    size_t i;
    if (n != nv) return ERROR;
    for (i = 0; i < n; i++) {
        if (r[i] == MODEL_TIME) v[i] = ((Model *)c)->time;
        else if (model_get((Model *)c, r[i], &v[i])) return ERROR;
    }
    return OK;
}
EXPORT Status FMI3(SetFloat64)(Instance c, const Reference r[], size_t n, const double v[], size_t nv)
{
    size_t i;
    if (n != nv) return ERROR;
    for (i = 0; i < n; i++) if (model_set((Model *)c, r[i], v[i])) return ERROR;
    return OK;
}
#define NONE(kind, type) \
    EXPORT Status FMI3(Get##kind)(Instance c, const Reference r[], size_t n, type v[], size_t nv) \
    { (void)c; (void)r; (void)v; (void)nv; return n ? ERROR : OK; } \
    EXPORT Status FMI3(Set##kind)(Instance c, const Reference r[], size_t n, const type v[], size_t nv) \
    { (void)c; (void)r; (void)v; (void)nv; return n ? ERROR : OK; }
NONE(Float32, float)
NONE(Int8, int8_t)
NONE(UInt8, uint8_t)
NONE(Int16, int16_t)
NONE(UInt16, uint16_t)
NONE(Int32, int32_t)
NONE(UInt32, uint32_t)
NONE(Int64, int64_t)
NONE(UInt64, uint64_t)
NONE(Boolean, bool)
NONE(String, Text)
EXPORT Status FMI3(GetBinary)(Instance c, const Reference r[], size_t n, size_t s[], const uint8_t *v[], size_t nv)
{ (void)c; (void)r; (void)s; (void)v; (void)nv; return n ? ERROR : OK; }
EXPORT Status FMI3(SetBinary)(Instance c, const Reference r[], size_t n, const size_t s[], const uint8_t *const v[], size_t nv)
{ (void)c; (void)r; (void)s; (void)v; (void)nv; return n ? ERROR : OK; }
EXPORT Status FMI3(GetClock)(Instance c, const Reference r[], size_t n, bool v[]) { (void)c; (void)r; (void)v; return n ? ERROR : OK; }
EXPORT Status FMI3(SetClock)(Instance c, const Reference r[], size_t n, const bool v[]) { (void)c; (void)r; (void)v; return n ? ERROR : OK; }

EXPORT Status FMI3(GetNumberOfVariableDependencies)(Instance c, Reference r, size_t *n) { (void)c; (void)r; *n = 0; return ERROR; }
EXPORT Status FMI3(GetVariableDependencies)(Instance c, Reference d, size_t a[], Reference i[], size_t b[], int k[], size_t n)
{ (void)c; (void)d; (void)a; (void)i; (void)b; (void)k; (void)n; return ERROR; }

EXPORT Status FMI3(GetFMUState)(Instance c, void **state)
{
    if (!*state) *state = malloc(sizeof(Model));
    if (!*state) return ERROR;
    memcpy(*state, c, sizeof(Model));
    return OK;
}
EXPORT Status FMI3(SetFMUState)(Instance c, void *state) { memcpy(c, state, sizeof(Model)); return OK; }
EXPORT Status FMI3(FreeFMUState)(Instance c, void **state) { (void)c; free(*state); *state = NULL; return OK; }
EXPORT Status FMI3(SerializedFMUStateSize)(Instance c, void *state, size_t *n) { (void)c; (void)state; *n = sizeof(Model); return OK; }
EXPORT Status FMI3(SerializeFMUState)(Instance c, void *state, uint8_t bytes[], size_t n)
{ (void)c; if (n < sizeof(Model)) return ERROR; memcpy(bytes, state, sizeof(Model)); return OK; }
EXPORT Status FMI3(DeserializeFMUState)(Instance c, const uint8_t bytes[], size_t n, void **state)
{
    (void)c;
    if (n < sizeof(Model)) return ERROR;
    if (!*state) *state = malloc(sizeof(Model));
    if (!*state) return ERROR;
    memcpy(*state, bytes, sizeof(Model));
    return OK;
}
#define DERIVATIVE(name) \
    EXPORT Status FMI3(name)(Instance c, const Reference u[], size_t nu, const Reference k[], size_t nk, const double s[], \
                             size_t ns, double r[], size_t nr) \
    { (void)c; (void)u; (void)nu; (void)k; (void)nk; (void)s; (void)ns; (void)r; (void)nr; return ERROR; }
DERIVATIVE(GetDirectionalDerivative)
DERIVATIVE(GetAdjointDerivative)
EXPORT Status FMI3(EnterConfigurationMode)(Instance c) { (void)c; return ERROR; }
EXPORT Status FMI3(ExitConfigurationMode)(Instance c) { (void)c; return ERROR; }
EXPORT Status FMI3(GetIntervalDecimal)(Instance c, const Reference r[], size_t n, double i[], int q[]) { (void)c; (void)r; (void)n; (void)i; (void)q; return ERROR; }
EXPORT Status FMI3(GetIntervalFraction)(Instance c, const Reference r[], size_t n, uint64_t a[], uint64_t b[], int q[]) { (void)c; (void)r; (void)n; (void)a; (void)b; (void)q; return ERROR; }
EXPORT Status FMI3(GetShiftDecimal)(Instance c, const Reference r[], size_t n, double s[]) { (void)c; (void)r; (void)n; (void)s; return ERROR; }
EXPORT Status FMI3(GetShiftFraction)(Instance c, const Reference r[], size_t n, uint64_t a[], uint64_t b[]) { (void)c; (void)r; (void)n; (void)a; (void)b; return ERROR; }
EXPORT Status FMI3(SetIntervalDecimal)(Instance c, const Reference r[], size_t n, const double i[]) { (void)c; (void)r; (void)n; (void)i; return ERROR; }
EXPORT Status FMI3(SetIntervalFraction)(Instance c, const Reference r[], size_t n, const uint64_t a[], const uint64_t b[]) { (void)c; (void)r; (void)n; (void)a; (void)b; return ERROR; }
EXPORT Status FMI3(SetShiftDecimal)(Instance c, const Reference r[], size_t n, const double s[]) { (void)c; (void)r; (void)n; (void)s; return ERROR; }
EXPORT Status FMI3(SetShiftFraction)(Instance c, const Reference r[], size_t n, const uint64_t a[], const uint64_t b[]) { (void)c; (void)r; (void)n; (void)a; (void)b; return ERROR; }
EXPORT Status FMI3(EvaluateDiscreteStates)(Instance c) { (void)c; return OK; }
EXPORT Status FMI3(UpdateDiscreteStates)(Instance c, bool *needed, bool *stop, bool *nominals, bool *values, bool *defined, double *next)
{ (void)c; *needed = *stop = *nominals = *values = *defined = false; *next = 0.0; return OK; }

/* Model exchange */
EXPORT Status FMI3(EnterContinuousTimeMode)(Instance c) { (void)c; return OK; }
EXPORT Status FMI3(CompletedIntegratorStep)(Instance c, bool keep, bool *event, bool *stop)
{ (void)c; (void)keep; *event = false; *stop = false; return OK; }
EXPORT Status FMI3(SetTime)(Instance c, double t) { ((Model *)c)->time = t; return OK; }
EXPORT Status FMI3(SetContinuousStates)(Instance c, const double x[], size_t n)
{ if (n != MODEL_STATES) return ERROR; memcpy(((Model *)c)->states, x, n * sizeof(double)); return OK; }
EXPORT Status FMI3(GetContinuousStates)(Instance c, double x[], size_t n)
{ if (n != MODEL_STATES) return ERROR; memcpy(x, ((Model *)c)->states, n * sizeof(double)); return OK; }
EXPORT Status FMI3(GetContinuousStateDerivatives)(Instance c, double d[], size_t n)
{ const Model *m = (Model *)c; return n == MODEL_STATES && !model_rates(m, m->time, m->states, d) ? OK : ERROR; }
EXPORT Status FMI3(GetEventIndicators)(Instance c, double e[], size_t n) { (void)c; (void)e; return n ? ERROR : OK; }
EXPORT Status FMI3(GetNominalsOfContinuousStates)(Instance c, double x[], size_t n)
{ size_t i; (void)c; for (i = 0; i < n; i++) x[i] = 1.0; return OK; }
EXPORT Status FMI3(GetNumberOfEventIndicators)(Instance c, size_t *n) { (void)c; *n = 0; return OK; }
EXPORT Status FMI3(GetNumberOfContinuousStates)(Instance c, size_t *n) { (void)c; *n = MODEL_STATES; return OK; }

/* Co-simulation */
EXPORT Status FMI3(EnterStepMode)(Instance c) { (void)c; return OK; }
EXPORT Status FMI3(GetOutputDerivatives)(Instance c, const Reference r[], size_t n, const int32_t o[], double v[], size_t nv)
{ (void)c; (void)r; (void)o; (void)v; (void)nv; return n ? ERROR : OK; }
EXPORT Status FMI3(DoStep)(Instance c, double t, double h, bool keep, bool *event, bool *stop, bool *early, double *last)
{
    Model *m = (Model *)c;
    (void)keep;
    *event = *stop = *early = false;
    m->time = t;
    if (model_advance(m, h, 1e-13)) return ERROR;
    *last = t + h;
    return OK;
}
EXPORT Status FMI3(ActivateModelPartition)(Instance c, Reference r, double t) { (void)c; (void)r; (void)t; return ERROR; }
