/* Calls a unit of FMI 2.0 as an impatient program would; prints what failed and returns how many calls did. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "model.h"

void *fmi2Instantiate(const char *, int, const char *, const char *, const void *, int, int);
void fmi2FreeInstance(void *);
int fmi2SetupExperiment(void *, int, double, double, int, double);
int fmi2EnterInitializationMode(void *);
int fmi2ExitInitializationMode(void *);
int fmi2Terminate(void *);
int fmi2Reset(void *);
int fmi2GetReal(void *, const unsigned int[], size_t, double[]);
int fmi2SetReal(void *, const unsigned int[], size_t, const double[]);
int fmi2DoStep(void *, double, double, int);
int fmi2GetFMUstate(void *, void **);
int fmi2SetFMUstate(void *, void *);
int fmi2FreeFMUstate(void *, void **);
int fmi2SerializedFMUstateSize(void *, void *, size_t *);
int fmi2SerializeFMUstate(void *, void *, char[], size_t);
int fmi2DeSerializeFMUstate(void *, const char[], size_t, void **);

static int failed = 0;
#define CHECK(what) do { if (!(what)) { printf("line %d: %s\n", __LINE__, #what); failed++; } } while (0)
static const unsigned int input = MODEL_PARAMETERS, output = MODEL_PARAMETERS + MODEL_INPUTS;

static double seen(void *c) { double v = NAN; CHECK(fmi2GetReal(c, &output, 1, &v) == 0); return v; }
static void begin(void *c)
{
    CHECK(fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0) == 0);
    CHECK(fmi2EnterInitializationMode(c) == 0);
    CHECK(fmi2ExitInitializationMode(c) == 0);
}
static double flown(void *c, int steps, double h)
{
    int i;
    for (i = 0; i < steps; i++) CHECK(fmi2DoStep(c, i * h, h, 1) == 0);
    return seen(c);
}

int main(void)
{
    double push = 0.7, rest, one, zero = 0.0;
    unsigned int mass = 2, nowhere = 100000;
    char bytes[sizeof(Model)];
    size_t size = 0;
    void *a = fmi2Instantiate("a", 1, MODEL_TOKEN, "", NULL, 0, 0), *b = fmi2Instantiate("b", 1, MODEL_TOKEN, "", NULL, 0, 0);
    void *kept = NULL, *again = NULL;
    CHECK(a && b && a != b);
    CHECK(!fmi2Instantiate("c", 1, "{another}", "", NULL, 0, 0));
    begin(a); begin(b);
    CHECK(fmi2SetReal(a, &input, 1, &push) == 0);
    rest = seen(b);
    one = flown(a, 40, 0.01);
    CHECK(one != rest);
    CHECK(seen(b) == rest); /* two instances share nothing */
    CHECK(fmi2SetReal(b, &input, 1, &push) == 0);
    CHECK(fabs(flown(b, 4, 0.1) - one) < 1e-10 * fabs(one)); /* steps of any length */
    CHECK(fmi2DoStep(b, 0.4, 0.0, 1) == 0 && fabs(seen(b) - one) < 1e-10 * fabs(one)); /* and of none */
    CHECK(fmi2DoStep(b, 0.4, -0.1, 1) == 3);
    CHECK(fmi2DoStep(b, 0.4, NAN, 1) == 3);
    CHECK(fmi2GetFMUstate(a, &kept) == 0);
    CHECK(fmi2SerializedFMUstateSize(a, kept, &size) == 0 && size == sizeof(Model));
    CHECK(fmi2SerializeFMUstate(a, kept, bytes, size) == 0);
    CHECK(fmi2SerializeFMUstate(a, kept, bytes, size - 1) == 3);
    rest = flown(a, 10, 0.02);
    CHECK(fmi2SetFMUstate(a, kept) == 0 && seen(a) == one);
    CHECK(flown(a, 10, 0.02) == rest); /* bit by bit */
    CHECK(fmi2DeSerializeFMUstate(a, bytes, size, &again) == 0 && fmi2SetFMUstate(a, again) == 0 && seen(a) == one);
    CHECK(fmi2FreeFMUstate(a, &kept) == 0 && !kept && fmi2FreeFMUstate(a, &again) == 0 && !again);
    CHECK(fmi2FreeFMUstate(a, &kept) == 0);
    CHECK(fmi2Reset(a) == 0);
    begin(a);
    CHECK(fmi2SetReal(a, &input, 1, &push) == 0 && flown(a, 40, 0.01) == one);
    CHECK(fmi2SetReal(a, &output, 1, &push) == 3 && fmi2GetReal(a, &nowhere, 1, &push) == 3);
    CHECK(fmi2SetReal(a, &mass, 1, &zero) == 0 && fmi2DoStep(a, 0.4, 0.01, 1) == 3); /* no mass, no motion */
    CHECK(fmi2Terminate(a) == 0);
    fmi2FreeInstance(a); fmi2FreeInstance(b); fmi2FreeInstance(NULL);
    return failed;
}
