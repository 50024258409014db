import type { Asset } from '#shared/kernel/asset.js';
import { DomainError, invalidField } from '#shared/kernel/domain-error.js';
import type { AuthorizationRefused } from '#contexts/networks/contract/authorized-transfers.js';

const BLOCKS_TO_SEND = 3;
const MIN_SECONDS_TO_SEND = 30;

/**
 * `ended`: before it was sent the checkout had ended or was paid otherwise, or another asset was selected. `not_executed`: what was sent had no
 * effect. The others are those of simulation.
 */
export type AuthorizationFailure = AuthorizationRefused['reason'] | 'ended' | 'not_executed';

/** It is not carried out. The payer signs a new one, or sends a transfer. */
export function authorizationRefused(reason: AuthorizationFailure, message: string): DomainError {
  return new DomainError('conflict', 'authorization_refused', `The authorization was refused: ${message}`, [
    { field: 'authorization', rule: reason, message },
  ]);
}

/**
 * No more than is missing, and no less than the asset's minimum, unless less is missing.
 * @param missing smallest units, above zero, as `value`
 * @throws validation_failed
 */
export function requireValue(
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

/** The validity of an authorization, in Unix seconds, both ends excluded. */
export interface Validity {
  readonly validAfter: bigint;
  readonly validBefore: bigint;
}

/** @throws authorization_refused where it is not valid now, or not for as long as sending takes */
export function requireValidity(validity: Validity, now: Date, blockSeconds: number): void {
  if (validity.validAfter >= BigInt(Math.floor(now.getTime() / 1_000)))
    throw authorizationRefused('time', 'it is not valid yet (validAfter).');
  if (isTooLateToSend(validity, now, blockSeconds))
    throw authorizationRefused(
      'time',
      `it has expired, or expires in less than ${secondsToSend(blockSeconds)} seconds (validBefore).`,
    );
}

/** A transaction that comes into a block after the end is reverted, and costs gas. */
export function isTooLateToSend(
  { validBefore }: Pick<Validity, 'validBefore'>,
  now: Date,
  blockSeconds: number,
): boolean {
  return validBefore <= BigInt(Math.ceil(now.getTime() / 1_000) + secondsToSend(blockSeconds));
}

function secondsToSend(blockSeconds: number): number {
  return Math.max(MIN_SECONDS_TO_SEND, Math.ceil(BLOCKS_TO_SEND * blockSeconds));
}
