%module modalAppendage
%{
#include "modalAppendage.h"
%}
%include "swig_eigen.i"
%include "std_string.i"
%include "sys_model.i"
%include "simulation/dynamics/_GeneralModuleFiles/stateEffector.h"
%include "modalAppendage.h"
