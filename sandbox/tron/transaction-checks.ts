import type { AnvilBehind, TronBlock } from './anvil-behind.js';
import { MAX_FEE_LIMIT, type TronResources } from './tron-resources.js';
import { bandwidthOf, integer, isSignedByOwner, type TronTransaction } from './tron-transaction.js';

export type BroadcastCode =
  | 'SUCCESS'
  | 'SIGERROR'
  | 'CONTRACT_VALIDATE_ERROR'
  | 'BANDWITH_ERROR'
  | 'DUP_TRANSACTION_ERROR'
  | 'TAPOS_ERROR'
  | 'TOO_BIG_TRANSACTION_ERROR'
  | 'TRANSACTION_EXPIRATION_ERROR'
  | 'SERVER_BUSY'
  | 'NOT_ENOUGH_EFFECTIVE_CONNECTION'
  | 'OTHER_ERROR';

export interface Verdict {
  readonly code: BroadcastCode;
  readonly message: string;
}

/** Blocks whose number and hash a transaction may refer to. */
const RECENT_BLOCKS = 65_536;
const MAX_TRANSACTION_BYTES = 512_000;
/** A transaction may expire at most this long after the newest block. */
const MAX_EXPIRATION_MS = 86_400_000;

/** The state of the chain that decides whether a transaction is valid. */
interface CheckedChain {
  readonly newest: TronBlock;
  readonly anvil: AnvilBehind;
  readonly resources: TronResources;
  inclusion(id: string): object | undefined;
  block(number: number): Promise<TronBlock | undefined>;
}

/** The checks of java-tron before it takes a transaction, and again before a block includes it. */
export class TransactionChecks {
  constructor(private readonly chain: CheckedChain) {}

  /** @param now time of the block before, in milliseconds since 1970 */
  async on(transaction: TronTransaction, now: number): Promise<Verdict> {
    const { rawData, rawBytes, owner, type, contract } = transaction;
    if (rawBytes.length > MAX_TRANSACTION_BYTES)
      return refusal(
        'TOO_BIG_TRANSACTION_ERROR',
        `too big transaction, the size is ${rawBytes.length} bytes`,
      );
    if (this.chain.inclusion(transaction.id) !== undefined)
      return refusal('DUP_TRANSACTION_ERROR', 'dup trans');
    const expiration = integer(rawData['expiration']);
    if (expiration <= now || expiration > now + MAX_EXPIRATION_MS) {
      const message = `Transaction expiration, transaction expiration time is ${expiration}, but headBlockTime is ${now}`;
      return refusal('TRANSACTION_EXPIRATION_ERROR', message);
    }
    if (!(await this.refersToThisChain(transaction))) return refusal('TAPOS_ERROR', 'Tapos check error.');
    if (!isSignedByOwner(transaction)) return refusal('SIGERROR', 'Validate signature error: sig error');
    const feeLimit = integer(rawData['fee_limit']);
    if (feeLimit < 0 || feeLimit > MAX_FEE_LIMIT)
      return invalid(`feeLimit must be >= 0 and <= ${MAX_FEE_LIMIT}`);
    const balance = await this.chain.anvil.balance(owner);
    if (balance === 0) return invalid(`account [${owner}] does not exist`);
    const { fee } = this.chain.resources.bandwidthCost(owner, bandwidthOf(transaction), now);
    if (fee > balance) return refusal('BANDWITH_ERROR', 'Account resource insufficient error.');
    const value = integer(contract[type === 'TransferContract' ? 'amount' : 'call_value']);
    if (type === 'TransferContract') {
      if (value <= 0) return invalid('Amount must be greater than 0.');
      if (contract['to_address'] === owner) return invalid('Cannot transfer TRX to yourself.');
    }
    if (value + fee > balance) return invalid('Validate TransferContract error, balance is not sufficient.');
    if (
      type === 'TriggerSmartContract' &&
      (await this.chain.anvil.code(String(contract['contract_address']))) === '0x'
    )
      return invalid('No contract or not a valid smart contract');
    return { code: 'SUCCESS', message: '' };
  }

  /** TaPoS: the transaction names a recent block of this chain by the end of its number and a part of its id. */
  private async refersToThisChain({ rawData }: TronTransaction): Promise<boolean> {
    const reference = Number.parseInt(String(rawData['ref_block_bytes']), 16);
    const { number } = this.chain.newest;
    const named = number - ((((number - reference) % RECENT_BLOCKS) + RECENT_BLOCKS) % RECENT_BLOCKS);
    const block = named < 0 ? undefined : await this.chain.block(named);
    return block?.id.slice(16, 32) === rawData['ref_block_hash'];
  }
}

export function refusal(code: BroadcastCode, message: string): Verdict {
  return { code, message };
}

function invalid(message: string): Verdict {
  return { code: 'CONTRACT_VALIDATE_ERROR', message: `Contract validate error : ${message}` };
}
