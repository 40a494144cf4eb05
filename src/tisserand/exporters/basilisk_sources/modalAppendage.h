/* State effector of Basilisk: a flexible appendage held on the hub, with all integrals of its modes.
 *
 * The displacement is of first degree, y = r + phi_l eta_l, and everything that follows from it is kept. All arrays are
 * about the origin B of the hub in its axes, SI: P (3, k), H (3, k), L (3, 3k) with blocks int r phi_l' dm, N (3k, 3k)
 * with blocks int phi_k phi_l' dm, modal mass, stiffness and damping (k, k). */
#ifndef MODAL_APPENDAGE_H
#define MODAL_APPENDAGE_H

#include <string>
#include <Eigen/Dense>
#include "architecture/_GeneralModuleFiles/sys_model.h"
#include "architecture/utilities/avsEigenMRP.h"
#include "simulation/dynamics/_GeneralModuleFiles/dynParamManager.h"
#include "simulation/dynamics/_GeneralModuleFiles/stateEffector.h"

class ModalAppendage : public StateEffector, public SysModel {
public:
    double mass = 0.0;
    Eigen::Vector3d firstMoment = Eigen::Vector3d::Zero();
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
    Eigen::MatrixXd P, H, L, N;
    Eigen::MatrixXd modalMass, stiffness, damping;
    Eigen::MatrixXd etaInit, etaDotInit;
    bool constantInertia = false; /* J = J0 and C = H, as at that level of inertia */
    std::string nameOfEtaState = "modalAppendageEta";
    std::string nameOfEtaDotState = "modalAppendageEtaDot";

    ModalAppendage() = default;
    ~ModalAppendage() override = default;
    void Reset(uint64_t CurrentSimNanos) override;
    void UpdateState(uint64_t CurrentSimNanos) override;
    void registerStates(DynParamManager &states) override;
    void linkInStates(DynParamManager &states) override;
    void updateEffectorMassProps(double integTime) override;
    void updateContributions(double integTime, BackSubMatrices &backSubContr, Eigen::MRPd sigma_BN, Eigen::Vector3d omega_BN_B,
                             Eigen::Vector3d g_N) override;
    void updateEnergyMomContributions(double integTime, Eigen::Vector3d &rotAngMomPntCContr_B, double &rotEnergyContr,
                                      Eigen::Vector3d omega_BN_B) override;
    void computeDerivatives(double integTime, Eigen::Vector3d rDDot_BN_N, Eigen::Vector3d omegaDot_BN_B,
                            Eigen::MRPd sigma_BN) override;

private:
    void deform();
    Eigen::Matrix3d shape(Eigen::Index l) const; /* B_l = int y phi_l' dm */
    Eigen::Matrix3d slope(const Eigen::Matrix3d &B) const; /* dJ / d eta_l */

    StateData *etaState = nullptr, *etaDotState = nullptr;
    Eigen::VectorXd eta, etaDot, rest;
    Eigen::Vector3d s, flow, momentum;  /* int y dm, its rate, int y x u' dm */
    Eigen::Matrix3d J, JPrime;
    Eigen::MatrixXd C;                  /* (3, k): int y x phi_l dm */
    Eigen::MatrixXd solvedP, solvedC;   /* Me^-1 P', Me^-1 C' */
    Eigen::LDLT<Eigen::MatrixXd> factor;
};

#endif
