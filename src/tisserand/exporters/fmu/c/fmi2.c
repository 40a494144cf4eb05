/* FMI 2.0, model exchange and co-simulation, around model.h. */
#include <stdlib.h>
#include <string.h>
#include "model.h"

typedef void *Component;
typedef int Status; /* 0 ok, 1 warning, 2 discard, 3 error, 4 fatal */
typedef int Boolean;
typedef unsigned int Reference;
typedef struct { Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
                 valuesOfContinuousStatesChanged, nextEventTimeDefined; double nextEventTime; } EventInfo;

#if defined _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#ifdef FMI2_FUNCTION_PREFIX
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define FMI2(name) PASTE(FMI2_FUNCTION_PREFIX, fmi2##name)
#else
#define FMI2(name) fmi2##name
#endif
#define OK 0
#define ERROR 3

EXPORT const char *FMI2(GetTypesPlatform)(void) { return "default"; }
EXPORT const char *FMI2(GetVersion)(void) { return "2.0"; }

EXPORT Component FMI2(Instantiate)(const char *name, int type, const char *guid, const char *resources, const void *functions,
                                   Boolean visible, Boolean logging)
{
    Model *m;
    (void)type; (void)resources; (void)functions; (void)visible; (void)logging;
    if (!name || !name[0] || !guid || strcmp(guid, MODEL_TOKEN) != 0) return NULL;
    m = (Model *)calloc(1, sizeof(Model));
    if (m) model_start(m);
    return m;
}

EXPORT void FMI2(FreeInstance)(Component c) { free(c); }
EXPORT Status FMI2(SetDebugLogging)(Component c, Boolean on, size_t n, const char *const categories[])
{ (void)c; (void)on; (void)n; (void)categories; return OK; }
EXPORT Status FMI2(SetupExperiment)(Component c, Boolean t, double tolerance, double start, Boolean s, double stop)
{ (void)t; (void)tolerance; (void)s; (void)stop; ((Model *)c)->time = start; return OK; }
EXPORT Status FMI2(EnterInitializationMode)(Component c) { (void)c; return OK; }
EXPORT Status FMI2(ExitInitializationMode)(Component c) { (void)c; return OK; }
EXPORT Status FMI2(Terminate)(Component c) { (void)c; return OK; }
EXPORT Status FMI2(Reset)(Component c) { model_start((Model *)c); return OK; }

EXPORT Status FMI2(GetReal)(Component c, const Reference r[], size_t n, double v[])
{
    size_t i;
    for (i = 0; i < n; i++) if (model_get((Model *)c, r[i], &v[i])) return ERROR;
    return OK;
}
EXPORT Status FMI2(SetReal)(Component c, const Reference r[], size_t n, const double v[])
{
    size_t i;
    for (i = 0; i < n; i++) if (model_set((Model *)c, r[i], v[i])) return ERROR;
    return OK;
}
#define NONE(kind, type) \
    EXPORT Status FMI2(Get##kind)(Component c, const Reference r[], size_t n, type v[]) \
    { (void)c; (void)r; (void)v; return n ? ERROR : OK; } \
    EXPORT Status FMI2(Set##kind)(Component c, const Reference r[], size_t n, const type v[]) \
    { (void)c; (void)r; (void)v; return n ? ERROR : OK; }
NONE(Integer, int)
NONE(Boolean, Boolean)
typedef const char *Text;
EXPORT Status FMI2(GetString)(Component c, const Reference r[], size_t n, Text v[]) { (void)c; (void)r; (void)v; return n ? ERROR : OK; }
EXPORT Status FMI2(SetString)(Component c, const Reference r[], size_t n, const Text v[]) { (void)c; (void)r; (void)v; return n ? ERROR : OK; }

EXPORT Status FMI2(GetFMUstate)(Component c, void **state)
{
    if (!*state) *state = malloc(sizeof(Model));
    if (!*state) return ERROR;
    memcpy(*state, c, sizeof(Model));
    return OK;
}
EXPORT Status FMI2(SetFMUstate)(Component c, void *state) { memcpy(c, state, sizeof(Model)); return OK; }
EXPORT Status FMI2(FreeFMUstate)(Component c, void **state) { (void)c; free(*state); *state = NULL; return OK; }
EXPORT Status FMI2(SerializedFMUstateSize)(Component c, void *state, size_t *n) { (void)c; (void)state; *n = sizeof(Model); return OK; }
EXPORT Status FMI2(SerializeFMUstate)(Component c, void *state, char bytes[], size_t n)
{ (void)c; if (n < sizeof(Model)) return ERROR; memcpy(bytes, state, sizeof(Model)); return OK; }
EXPORT Status FMI2(DeSerializeFMUstate)(Component c, const char bytes[], size_t n, void **state)
{
    (void)c;
    if (n < sizeof(Model)) return ERROR;
    if (!*state) *state = malloc(sizeof(Model));
    if (!*state) return ERROR;
    memcpy(*state, bytes, sizeof(Model));
    return OK;
}
EXPORT Status FMI2(GetDirectionalDerivative)(Component c, const Reference u[], size_t nu, const Reference k[], size_t nk,
                                             const double dk[], double du[])
{ (void)c; (void)u; (void)nu; (void)k; (void)nk; (void)dk; (void)du; return ERROR; }

/* Model exchange */
EXPORT Status FMI2(EnterEventMode)(Component c) { (void)c; return OK; }
EXPORT Status FMI2(NewDiscreteStates)(Component c, EventInfo *info) { (void)c; memset(info, 0, sizeof(*info)); return OK; }
EXPORT Status FMI2(EnterContinuousTimeMode)(Component c) { (void)c; return OK; }
EXPORT Status FMI2(CompletedIntegratorStep)(Component c, Boolean keep, Boolean *event, Boolean *stop)
{ (void)c; (void)keep; *event = 0; *stop = 0; return OK; }
EXPORT Status FMI2(SetTime)(Component c, double t) { ((Model *)c)->time = t; return OK; }
EXPORT Status FMI2(SetContinuousStates)(Component c, const double x[], size_t n)
{ if (n != MODEL_STATES) return ERROR; memcpy(((Model *)c)->states, x, n * sizeof(double)); return OK; }
EXPORT Status FMI2(GetContinuousStates)(Component c, double x[], size_t n)
{ if (n != MODEL_STATES) return ERROR; memcpy(x, ((Model *)c)->states, n * sizeof(double)); return OK; }
EXPORT Status FMI2(GetDerivatives)(Component c, double d[], size_t n)
{ const Model *m = (Model *)c; return n == MODEL_STATES && !model_rates(m, m->time, m->states, d) ? OK : ERROR; }
EXPORT Status FMI2(GetEventIndicators)(Component c, double e[], size_t n) { (void)c; (void)e; return n ? ERROR : OK; }
EXPORT Status FMI2(GetNominalsOfContinuousStates)(Component c, double x[], size_t n)
{ size_t i; (void)c; for (i = 0; i < n; i++) x[i] = 1.0; return OK; }

/* Co-simulation */
EXPORT Status FMI2(DoStep)(Component c, double t, double h, Boolean keep)
{
    Model *m = (Model *)c;
    (void)keep;
    m->time = t;
    return model_advance(m, h, 1e-13) ? ERROR : OK;
}
EXPORT Status FMI2(CancelStep)(Component c) { (void)c; return ERROR; }
EXPORT Status FMI2(SetRealInputDerivatives)(Component c, const Reference r[], size_t n, const int o[], const double v[])
{ (void)c; (void)r; (void)o; (void)v; return n ? ERROR : OK; }
EXPORT Status FMI2(GetRealOutputDerivatives)(Component c, const Reference r[], size_t n, const int o[], double v[])
{ (void)c; (void)r; (void)o; (void)v; return n ? ERROR : OK; }
#define STATUS(kind, type) EXPORT Status FMI2(Get##kind)(Component c, int s, type *v) { (void)c; (void)s; (void)v; return 2; }
STATUS(Status, Status)
STATUS(RealStatus, double)
STATUS(IntegerStatus, int)
STATUS(BooleanStatus, Boolean)
STATUS(StringStatus, Text)
