import { type ChainTransfer, NO_SENDER_LABEL } from '#contexts/networks/contract/chain-reader.js';
import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';
import type { AddressFormat } from '../addresses/address-format.js';
import { addressOfScript } from '../addresses/address-script.js';
import type { RawTransaction } from './raw-transaction.js';

/** Consensus permits spending coinbase outputs only from the 100th block after their own (`COINBASE_MATURITY` of Bitcoin Core). */
const COINBASE_MATURITY = 100;

export interface SpentOutputs extends Derivation {
  readonly spends: readonly string[];
}

export interface OutputTransfer extends ChainTransfer {
  readonly kind: 'output';
  readonly evidence: SpentOutputs;
}

export interface CoinAndAddressFormat {
  readonly token: string;
  readonly format: AddressFormat;
}

export interface AddressedOutput {
  readonly transaction: RawTransaction;
  readonly index: number;
  readonly to: string;
}

export function addressedOutputs(
  transactions: readonly RawTransaction[],
  { format }: CoinAndAddressFormat,
): AddressedOutput[] {
  const addresses = new Map<string, string | null>();
  const found: AddressedOutput[] = [];
  for (const transaction of transactions) {
    const { outputs } = transaction;
    for (let index = 0; index < outputs.length; index += 1) {
      const { script, amount } = outputs[index]!;
      if (amount === 0n) continue;
      let to = addresses.get(script);
      if (to === undefined) addresses.set(script, (to = addressOfScript(format, script)?.address ?? null));
      if (to !== null) found.push({ transaction, index, to });
    }
  }
  return found;
}

export function transferOfOutput(
  { transaction, index, to }: AddressedOutput,
  { token }: CoinAndAddressFormat,
  stampedAt?: Date,
): OutputTransfer {
  return {
    kind: 'output',
    transactionHash: transaction.id,
    index,
    token,
    from: NO_SENDER_LABEL,
    to,
    amount: transaction.outputs[index]!.amount,
    evidence: { spends: transaction.spends },
    ...(transaction.isCoinbase && { spendableAfter: COINBASE_MATURITY }),
    ...(stampedAt !== undefined && { stampedAt }),
  };
}
