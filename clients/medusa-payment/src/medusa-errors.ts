import { MedusaError } from '@medusajs/framework/utils';
import { PaymentCollectionError, WebhookVerificationError } from 'payment-collection-client';
import { Refusal } from '../../plugin-contract/src/refusal.js';

/** Converts errors of the work to Medusa errors, with a message that says what to do. */
export async function withMedusaErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw new MedusaError(error.kind, error.message);
    if (error instanceof WebhookVerificationError) {
      throw new MedusaError(MedusaError.Types.UNAUTHORIZED, `A webhook was refused: ${error.message}`);
    }
    if (error instanceof PaymentCollectionError) {
      throw new MedusaError(typeOf(error), `${error.message} (${error.code}) ${error.nextStep}`);
    }
    throw error;
  }
}

function typeOf({ status = 0 }: PaymentCollectionError): string {
  if (status === 400 || status === 422) return MedusaError.Types.INVALID_DATA;
  if (status === 404) return MedusaError.Types.NOT_FOUND;
  if (status === 409) return MedusaError.Types.NOT_ALLOWED;
  return MedusaError.Types.UNEXPECTED_STATE;
}
