import { type DomainError, invalidField } from '#shared/kernel/domain-error.js';
import type { SendingPurpose } from './sending.js';

const FLOAT = /^float:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Why a call may be sent, and by whose key. A call that moves no value goes to a contract of the service alone. */
const MOVES_VALUE: Readonly<Record<SendingPurpose, boolean>> = {
  factory_deployment: false,
  settlement: false,
  refund: true,
  float_withdrawal: true,
};

/** The organization whose refund float has a key of this name; null where it is no float's. */
export function organizationOfFloat(key: string): string | null {
  return FLOAT.exec(key)?.[1] ?? null;
}

export interface KeyUse {
  readonly key: string;
  readonly purpose: SendingPurpose;
  readonly to: string;
  readonly value: bigint;
}

/**
 * A float's key sends what takes money out of the float, and nothing else. Every other key pays for gas and can move nothing:
 * its calls carry no coin and go to contracts of the service, which pay by terms that nobody can change.
 * @param contracts that a call of this purpose may go to, as calls spell them; not asked where it moves value
 * @returns null where the key may send it
 */
export function refusalOfUse(
  { key, purpose, to, value }: KeyUse,
  contracts: readonly string[],
): DomainError | null {
  const isFloat = organizationOfFloat(key) !== null;
  if (MOVES_VALUE[purpose] !== isFloat) {
    const whose = MOVES_VALUE[purpose] ? 'must be the key of a refund float' : 'must not be a refund float';
    return invalidField('key', 'key_of_purpose', `${whose}: the order is a ${purpose}.`);
  }
  if (isFloat) return null;
  if (value > 0n) return invalidField('value', 'no_value', `must be 0: a ${purpose} moves no coin.`);
  if (contracts.includes(to)) return null;
  const rule = `must be a contract that a ${purpose} calls on this network, not ${to}.`;
  return invalidField('to', 'contract_of_purpose', rule);
}
