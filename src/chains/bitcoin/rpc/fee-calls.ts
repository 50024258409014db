import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { NATIVE_DECIMALS } from '../bitcoin-network.js';
import { readFields } from './read-answers.js';

export const FEE_TARGET_BLOCKS = 6;

/** Requests a fee rate in satoshis per 1,000 virtual bytes. */
type FeeRateCall = RpcCall<bigint | null>;

export const FEE_RATE_CALL: FeeRateCall = {
  method: 'estimatesmartfee',
  params: [FEE_TARGET_BLOCKS],
  read(answer) {
    const { feerate } = readFields(answer, 'an estimate');
    return feerate === undefined ? null : feeRateInSatoshis(feerate);
  },
  refused: () => null,
};

/** The fee rate call for btcd. btcd refuses it if its estimator is off or has too little data. */
export const BTCD_FEE_RATE_CALL: FeeRateCall = {
  method: 'estimatefee',
  params: [FEE_TARGET_BLOCKS],
  read: feeRateInSatoshis,
  refused: () => null,
};

/** A negative rate means that the node has no estimate. */
function feeRateInSatoshis(rate: unknown): bigint | null {
  if (typeof rate !== 'number' || !Number.isFinite(rate))
    throw new MalformedAnswer('a fee rate is not a number');
  return rate > 0 ? BigInt(Math.round(rate * 10 ** NATIVE_DECIMALS)) : null;
}
