import { ALWAYS, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import type { PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { AddressTurns } from '../../application/requests/address-turns.js';
import { OpenPaymentRequest } from '../../application/requests/open-payment-request.js';
import { PaymentsSettings } from '../../application/requests/payments-settings.js';
import { ReplaceRequestOnPhysicalPos } from '../../application/requests/replace-request-on-physical-pos.js';
import type { AddressNumbers } from '../../domain/requests/address-numbers.js';
import type { PaymentRequests } from '../../domain/requests/payment-requests.js';

const WINDOW_SECONDS = 480;

/** Settings with a key of their own. */
export function somePaymentsSettings(): PaymentsSettings {
  const { secretKey } = generatePaserkKeyPair();
  const key = { id: 'key-1', secretKey, signsFrom: ALWAYS, endsAt: new Date('2100-01-01T00:00:00Z') };
  return new PaymentsSettings(WINDOW_SECONDS, 1_000, {
    issuer: 'pay.example',
    keys: new SigningKeyRing([key]),
  });
}

/** The use case of one process. */
export function newOpenPaymentRequest(
  pointsOfSale: PointsOfSale,
  requests: PaymentRequests,
  unitOfWork: UnitOfWork,
  numbers: AddressNumbers,
): OpenPaymentRequest {
  const replace = new ReplaceRequestOnPhysicalPos(requests, unitOfWork);
  return new OpenPaymentRequest(pointsOfSale, requests, unitOfWork, replace, numbers, new AddressTurns());
}
