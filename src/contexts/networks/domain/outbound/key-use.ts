import { type DomainError, invalidField } from '#shared/kernel/domain-error.js';
import { GAS_KEY_NAME } from '../../contract/outbound-transaction-sender.js';
import type { OutboundPurpose } from './outbound-transaction.js';

const FLOAT_KEY_NAME = /^float:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Other calls go to a contract of the service, or to a token that executes a transfer signed by the payer. */
const MOVES_VALUE: Readonly<Record<OutboundPurpose, boolean>> = {
  factory_deployment: false,
  settlement: false,
  authorized_transfer: false,
  refund: true,
  float_withdrawal: true,
};

export function organizationOfFloat(key: string): string | null {
  return FLOAT_KEY_NAME.exec(key)?.[1] ?? null;
}

export interface SenderKeyUse {
  readonly key: string;
  readonly purpose: OutboundPurpose;
  readonly to: string;
  readonly value: bigint;
}

/**
 * A float's key only moves money out of the float. Every other key pays for gas and cannot move funds: its calls
 * carry no coin and go to contracts that pay under immutable terms. The gas key also sends signed authorizations.
 */
export function keyUseRefusal(
  { key, purpose, to, value }: SenderKeyUse,
  contracts: readonly string[],
): DomainError | null {
  const isFloat = organizationOfFloat(key) !== null;
  if (MOVES_VALUE[purpose] !== isFloat) {
    const whose = MOVES_VALUE[purpose] ? 'must be the key of a refund float' : 'must not be a refund float';
    return invalidField(
      'key',
      'key_of_purpose',
      `${whose}, because the purpose of the transaction is ${purpose}.`,
    );
  }
  if (isFloat) return null;
  if (purpose === 'authorized_transfer' && key !== GAS_KEY_NAME)
    return invalidField(
      'key',
      'key_of_purpose',
      `must be the gas key, because the purpose of the transaction is ${purpose}.`,
    );
  if (value > 0n)
    return invalidField('value', 'no_value', `must be 0: ${named(purpose)} transfers no native coin.`);
  if (contracts.includes(to)) return null;
  const rule = `must be a contract that ${named(purpose)} calls on this network, not ${to}.`;
  return invalidField('to', 'contract_of_purpose', rule);
}

function named(purpose: OutboundPurpose): string {
  return `${purpose.startsWith('a') ? 'an' : 'a'} ${purpose}`;
}
