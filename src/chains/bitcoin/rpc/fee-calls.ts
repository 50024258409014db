import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { NATIVE_DECIMALS } from '../bitcoin-network.js';
import { fieldsOf } from './read-answers.js';

/** An hour: payers see that it counts once it is seen, and seldom pay for more haste. */
export const WITHIN_BLOCKS = 6;

/** Satoshis for a thousand virtual bytes; null where the node has seen too little to say. */
type FeeRateCall = RpcCall<bigint | null>;

export const FEE_RATE: FeeRateCall = {
  method: 'estimatesmartfee',
  params: [WITHIN_BLOCKS],
  read(answer) {
    const { feerate } = fieldsOf(answer, 'an estimate');
    return feerate === undefined ? null : inSatoshis(feerate);
  },
  refused: () => null,
};

/** The question of btcd. It refuses where its estimator is off, or knows too little yet. */
export const PLAIN_FEE_RATE: FeeRateCall = {
  method: 'estimatefee',
  params: [WITHIN_BLOCKS],
  read: inSatoshis,
  refused: () => null,
};

/** A rate is an estimate, so that its number in JSON is exact enough. A negative one is none. */
function inSatoshis(rate: unknown): bigint | null {
  if (typeof rate !== 'number' || !Number.isFinite(rate))
    throw new MalformedAnswer('a fee rate is not a number');
  return rate > 0 ? BigInt(Math.round(rate * 10 ** NATIVE_DECIMALS)) : null;
}
