#include <stdexcept>
#include "modalAppendage.h"

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

void ModalAppendage::Reset(uint64_t) {}
void ModalAppendage::UpdateState(uint64_t) {}

void ModalAppendage::registerStates(DynParamManager &states)
{
    const Index k = modalMass.rows();
    if (k < 1 || modalMass.cols() != k || stiffness.rows() != k || stiffness.cols() != k || damping.rows() != k ||
        damping.cols() != k || P.rows() != 3 || P.cols() != k || H.rows() != 3 || H.cols() != k || L.rows() != 3 ||
        L.cols() != 3 * k || N.rows() != 3 * k || N.cols() != 3 * k || etaInit.size() != k || etaDotInit.size() != k)
        throw std::invalid_argument("ModalAppendage: the arrays do not belong to the same number of modes");
    factor.compute(modalMass);
    etaState = states.registerState(static_cast<uint32_t>(k), 1, nameOfEtaState);
    etaDotState = states.registerState(static_cast<uint32_t>(k), 1, nameOfEtaDotState);
    etaState->setState(etaInit.reshaped(k, 1));
    etaDotState->setState(etaDotInit.reshaped(k, 1));
}

void ModalAppendage::linkInStates(DynParamManager &) {}

Matrix3d ModalAppendage::shape(Index l) const
{
    Matrix3d B = L.block<3, 3>(0, 3 * l);
    for (Index k = 0; k < eta.size(); k++) B += eta(k) * N.block<3, 3>(3 * k, 3 * l);
    return B;
}

Matrix3d ModalAppendage::slope(const Matrix3d &B) const
{
    return 2.0 * B.trace() * Matrix3d::Identity() - B - B.transpose();
}

void ModalAppendage::deform()
{
    const Index k = modalMass.rows();
    eta = etaState->getState().col(0);
    etaDot = etaDotState->getState().col(0);
    s = firstMoment + P * eta;
    flow = P * etaDot;
    J = inertia;
    JPrime.setZero();
    C = H;
    for (Index l = 0; l < k && !constantInertia; l++) {
        const Matrix3d B = shape(l), L_l = L.block<3, 3>(0, 3 * l);
        J += 0.5 * eta(l) * slope(L_l + B);
        JPrime += etaDot(l) * slope(B);
        C.col(l) = Vector3d(B(1, 2) - B(2, 1), B(2, 0) - B(0, 2), B(0, 1) - B(1, 0));
    }
    momentum = C * etaDot;
}

void ModalAppendage::updateEffectorMassProps(double)
{
    deform();
    effProps.mEff = mass;
    effProps.rEff_CB_B = s / mass;
    effProps.rEffPrime_CB_B = flow / mass;
    effProps.IEffPntB_B = J;
    effProps.IEffPrimePntB_B = JPrime;
}

/* Me eta'' = rest - P'.a_B - C'.omega'; the spacecraft itself adds what follows from mass, mass center and inertia. */
void ModalAppendage::updateContributions(double, BackSubMatrices &backSubContr, Eigen::MRPd sigma_BN, Vector3d omega_BN_B,
                                         Vector3d g_N)
{
    const Index k = modalMass.rows();
    const Matrix3d dcm_BN = sigma_BN.toRotationMatrix().transpose();
    const Vector3d w = omega_BN_B;
    rest = P.transpose() * (dcm_BN * g_N) - stiffness * eta - damping * etaDot;
    for (Index l = 0; l < k && !constantInertia; l++) {
        Vector3d turn = Vector3d::Zero(); /* int u' x phi_l dm */
        for (Index i = 0; i < k; i++) {
            const Matrix3d n = N.block<3, 3>(3 * i, 3 * l);
            turn += etaDot(i) * Vector3d(n(1, 2) - n(2, 1), n(2, 0) - n(0, 2), n(0, 1) - n(1, 0));
        }
        rest(l) += 0.5 * w.dot(slope(shape(l)) * w) - 2.0 * w.dot(turn);
    }
    solvedP = factor.solve(P.transpose());
    solvedC = factor.solve(C.transpose());
    const VectorXd free = factor.solve(rest);
    backSubContr.matrixA = -P * solvedP;
    backSubContr.matrixB = -P * solvedC;
    backSubContr.matrixC = -C * solvedP;
    backSubContr.matrixD = -C * solvedC;
    backSubContr.vecTrans = -P * free;
    backSubContr.vecRot = -C * free - w.cross(momentum);
}

void ModalAppendage::computeDerivatives(double, Vector3d rDDot_BN_N, Vector3d omegaDot_BN_B, Eigen::MRPd sigma_BN)
{
    const Matrix3d dcm_BN = sigma_BN.toRotationMatrix().transpose();
    const VectorXd rates = factor.solve(rest) - solvedP * (dcm_BN * rDDot_BN_N) - solvedC * omegaDot_BN_B;
    etaState->setDerivative(etaDot);
    etaDotState->setDerivative(rates);
}

void ModalAppendage::updateEnergyMomContributions(double, Vector3d &rotAngMomPntCContr_B, double &rotEnergyContr,
                                                  Vector3d omega_BN_B)
{
    deform();
    rotAngMomPntCContr_B = J * omega_BN_B + momentum;
    rotEnergyContr = 0.5 * omega_BN_B.dot(J * omega_BN_B) + omega_BN_B.dot(momentum) + 0.5 * etaDot.dot(modalMass * etaDot) +
                     0.5 * eta.dot(stiffness * eta);
}
