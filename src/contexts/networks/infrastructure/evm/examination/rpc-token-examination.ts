import { Injectable } from '@nestjs/common';
import { type Hex, encodeFunctionData, hexToString } from 'viem';
import type { Endpoint } from '../../../domain/endpoint.js';
import type { Answer } from '../../../domain/finding.js';
import type { BalanceTrial, TokenFacts, TransferTrial } from './token-facts.js';
import { markedBalances, word } from './balance-storage.js';
import {
  type CallSurroundings,
  ERC20_ABI,
  balanceCall,
  contractCall,
  decoded,
  readBytes,
} from '../rpc/contract-calls.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { hex, readQuantity } from '../rpc/hex-fields.js';
import { EndpointFailure } from '../rpc/rpc-failures.js';
import { answerOrRefusal } from './answer-or-refusal.js';
import { type TokenHolder, recentHolders } from './token-holders.js';
import { type ProbeOutcome, probeTransfer } from './transfer-probe.js';

/** Whose balance is pretended where no real holder is found; nobody has a key for it. */
const PRETENDED = `0x${'0f'.repeat(20)}`;
const YEAR_SECONDS = 31_536_000;
const NO_BLOCK_OVERRIDES = 'the endpoint does not simulate a later block (block overrides).';
const NO_OVERRIDES =
  'the endpoint does not simulate calls with pretended code and storage (state overrides).';

interface Holder extends TokenHolder {
  readonly surroundings: CallSurroundings;
}

interface Pinned {
  readonly endpoint: Endpoint;
  readonly token: string;
  /** All is asked at one block, so that nobody's transfer comes in between. */
  readonly head: number;
}

/** Asks a token's contract what it is, and simulates what its transfers and the passing of time do to balances. */
@Injectable()
export class RpcTokenExamination {
  constructor(private readonly rpc: JsonRpc) {}

  /** @throws ChainUnavailable where the contract cannot be asked */
  async examine(endpoint: Endpoint, token: string): Promise<TokenFacts> {
    const [head, code] = await Promise.all([
      this.rpc.callOnce(endpoint, {
        method: 'eth_blockNumber',
        params: [],
        read: (answer) => readQuantity(answer, 'block number'),
      }),
      this.rpc.callOnce(endpoint, { method: 'eth_getCode', params: [token, 'latest'], read: readBytes }),
    ]);
    const [decimals, symbol] = await Promise.all([
      this.ask(endpoint, token, 'decimals'),
      this.ask(endpoint, token, 'symbol'),
    ]);
    const number = decoded(ERC20_ABI, 'decimals', decimals);
    return {
      hasCode: code !== '0x',
      decimals: typeof number === 'number' ? number : null,
      symbol: readSymbol(symbol),
      ...(await this.simulate({ endpoint, token, head })),
    };
  }

  private ask(endpoint: Endpoint, token: string, functionName: 'decimals' | 'symbol'): Promise<Hex | null> {
    return this.rpc.callOnce(
      endpoint,
      contractCall(token, encodeFunctionData({ abi: ERC20_ABI, functionName })),
    );
  }

  private async simulate(pinned: Pinned): Promise<Pick<TokenFacts, 'transfers' | 'balance'>> {
    const storage = await answerOrRefusal(() => this.storage(pinned));
    const holders = await answerOrRefusal(() => this.holders(pinned, storage));
    if ('refused' in holders) return { transfers: holders, balance: holders };
    if (holders.answer.length === 0) {
      const refused = 'nobody received it lately, and where it keeps balances was not found.';
      return { transfers: { refused }, balance: { refused } };
    }
    const trials = await answerOrRefusal(() => this.transfers(pinned, holders.answer));
    const [holder] = holders.answer as [Holder];
    return {
      transfers: trials,
      balance: await answerOrRefusal(() => this.passTime(pinned, holder, storage)),
    };
  }

  /** The place of the pretended holder's balance, or what is computed from it; null where it was not found. */
  private async storage({
    endpoint,
    token,
    head,
  }: Pinned): Promise<{ place: Hex } | { computed: bigint } | null> {
    const { stateDiff, placeOf } = markedBalances(PRETENDED);
    const state = { [token]: { stateDiff } };
    const answer = await this.rpc.callOnce(
      endpoint,
      balanceCall(token, PRETENDED, { block: hex(head), state }),
    );
    const balance = decoded(ERC20_ABI, 'balanceOf', answer);
    if (typeof balance !== 'bigint' || balance === 0n) return null;
    const place = placeOf(balance);
    return place === null ? { computed: balance } : { place };
  }

  /** Real ones before a pretended one: they are what the token's own rules speak of. */
  private async holders(
    { endpoint, token, head }: Pinned,
    storage: Answer<{ place: Hex } | { computed: bigint } | null>,
  ): Promise<Holder[]> {
    const block = hex(head);
    const real = await answerOrRefusal(() => recentHolders(this.rpc, endpoint, token, head));
    if ('answer' in real && real.answer.length > 0) {
      return real.answer.map((holder) => ({ ...holder, surroundings: { block } }));
    }
    if ('refused' in storage) throw new EndpointFailure(endpoint.network, storage.refused, 'refused');
    if (storage.answer === null || !('place' in storage.answer)) return [];
    const balance = 10n ** 24n;
    const state = { [token]: { stateDiff: { [storage.answer.place]: word(balance) } } };
    return [{ address: PRETENDED, balance, surroundings: { block, state } }];
  }

  private async transfers({ endpoint, token }: Pinned, holders: readonly Holder[]): Promise<TransferTrial[]> {
    const trials: TransferTrial[] = [];
    for (const { address, surroundings } of holders) {
      const outcome = await probeTransfer(this.rpc, endpoint, token, address, surroundings);
      if (outcome === null) throw new EndpointFailure(endpoint.network, NO_OVERRIDES, 'refused');
      trials.push(trialOf(address, outcome));
    }
    return trials;
  }

  private async passTime(
    { endpoint, token, head }: Pinned,
    { address, surroundings }: Holder,
    storage: Answer<{ place: Hex } | { computed: bigint } | null>,
  ): Promise<BalanceTrial> {
    const probe = (more: CallSurroundings) =>
      probeTransfer(this.rpc, endpoint, token, address, { ...surroundings, ...more });
    const now = await probe({});
    if (now === null) throw new EndpointFailure(endpoint.network, NO_OVERRIDES, 'refused');
    const time = now.time + BigInt(YEAR_SECONDS);
    const later = await probe({ block: hex(head), blockFields: { time: `0x${time.toString(16)}` } });
    if (later?.time !== time) {
      throw new EndpointFailure(endpoint.network, NO_BLOCK_OVERRIDES, 'refused');
    }
    const isComputed = 'answer' in storage && storage.answer !== null && 'computed' in storage.answer;
    return { now: now.holderBefore, later: later.holderBefore, isComputed };
  }
}

function trialOf(holder: string, outcome: ProbeOutcome): TransferTrial {
  return {
    holder,
    moved: outcome.moved,
    amount: outcome.holderBefore,
    sent: outcome.holderBefore - outcome.holderAfter,
    arrived: outcome.recipientAfter - outcome.recipientBefore,
  };
}

/** Old tokens (MKR, SAI) answer 32 bytes where later ones answer a string. */
function readSymbol(answer: Hex | null): string | null {
  const text = decoded(ERC20_ABI, 'symbol', answer);
  if (typeof text === 'string') return text;
  if (answer?.length !== 2 + 64) return null;
  const bytes = hexToString(answer).replace(/\0+$/, '');
  return bytes === '' ? null : bytes;
}
