import type { Asset } from '#shared/kernel/asset.js';
import { DomainError, invalidField } from '#shared/kernel/domain-error.js';
import type { TransferAuthorizationRefused } from '#contexts/networks/contract/authorized-transfers.js';

const BLOCKS_NEEDED_TO_SEND = 3;
const MIN_SECONDS_TO_SEND = 30;

/**
 * `ended`: before the transaction was sent, the checkout ended, another payment was received, or another asset was
 * selected. `not_executed`: the transaction had no effect. All other reasons come from simulation.
 */
export type TransferAuthorizationFailure = TransferAuthorizationRefused['reason'] | 'ended' | 'not_executed';

export function transferAuthorizationRefusedError(
  reason: TransferAuthorizationFailure,
  message: string,
): DomainError {
  return new DomainError('conflict', 'authorization_refused', `The authorization was refused: ${message}`, [
    { field: 'authorization', rule: reason, message },
  ]);
}

/** If less than the minimum is missing, requires exactly the missing amount. @throws validation_failed */
export function requireAuthorizedValue(
  value: bigint,
  missing: bigint,
  { minimumAmount }: Pick<Asset, 'minimumAmount'>,
): void {
  const field = 'authorization.value';
  if (value > missing)
    throw invalidField(field, 'at_most_missing', `must be at most ${missing}, the missing amount.`);
  const least = minimumAmount < missing ? minimumAmount : missing;
  if (value < least) throw invalidField(field, 'minimum_amount', `must be at least ${least}.`);
}

/** Unix seconds. Both ends are exclusive. */
export interface AuthorizationValidity {
  readonly validAfter: bigint;
  readonly validBefore: bigint;
}

/** @throws authorization_refused if the authorization is not valid now, or expires before a transaction can be mined */
export function requireTransferAuthorizationValidity(
  validity: AuthorizationValidity,
  now: Date,
  blockSeconds: number,
): void {
  if (validity.validAfter >= BigInt(Math.floor(now.getTime() / 1_000)))
    throw transferAuthorizationRefusedError('time', 'it is not valid yet (validAfter).');
  if (isTooLateToSend(validity, now, blockSeconds))
    throw transferAuthorizationRefusedError(
      'time',
      `it has expired, or expires in less than ${secondsToSend(blockSeconds)} seconds (validBefore).`,
    );
}

/** A transaction mined after the expiry would revert and still cost gas. */
export function isTooLateToSend(
  { validBefore }: Pick<AuthorizationValidity, 'validBefore'>,
  now: Date,
  blockSeconds: number,
): boolean {
  return validBefore <= BigInt(Math.ceil(now.getTime() / 1_000) + secondsToSend(blockSeconds));
}

function secondsToSend(blockSeconds: number): number {
  return Math.max(MIN_SECONDS_TO_SEND, Math.ceil(BLOCKS_NEEDED_TO_SEND * blockSeconds));
}
