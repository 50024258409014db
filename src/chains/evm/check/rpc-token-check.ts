import { Injectable } from '@nestjs/common';
import { type Abi, type Hex, encodeFunctionData, hexToString, keccak256, toHex } from 'viem';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { BalanceTestResult, TokenFacts, TransferTestResult } from './token-facts.js';
import { contractArtifact } from '../../forwarders/forwarder-artifacts.js';
import {
  ERC20_ABI,
  queryContract,
  contractCall,
  decodeResult,
  readBytes,
} from '../../ethereum-rpc/contract-calls.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { toHexQuantity, readQuantity } from '../../ethereum-rpc/hex-fields.js';
import { EndpointFailure, answerOrRefusal } from '../../rpc/rpc-failures.js';
import { type TokenAtBlock, recentHolders } from './token-holders.js';

const YEAR_SECONDS = 31_536_000n;
const NO_BLOCK_OVERRIDES = 'the endpoint does not support block overrides.';
const NO_OVERRIDES = 'the endpoint does not support state overrides.';

const MARK = keccak256(toHex('TransferProbe'));
/** An address that belongs to no one, holds nothing, and is not exempt from any token's rules. */
const SIMULATED_RECIPIENT = `0x${keccak256(toHex('recipient of a simulated transfer')).slice(26)}`;

/** Amounts in smallest units. */
interface TransferProbeOutcome {
  readonly holder: string;
  readonly moved: boolean;
  /** Timestamp of the simulated block, in seconds. */
  readonly time: bigint;
  readonly holderBefore: bigint;
  readonly holderAfter: bigint;
  readonly recipientBefore: bigint;
  readonly recipientAfter: bigint;
}

@Injectable()
export class RpcTokenCheck {
  constructor(private readonly rpc: JsonRpc) {}

  async check(endpoint: Endpoint, token: string): Promise<TokenFacts> {
    const [head, code] = await Promise.all([
      this.rpc.callOnce(endpoint, {
        method: 'eth_blockNumber',
        params: [],
        read: (answer) => readQuantity(answer, 'block number'),
      }),
      this.rpc.callOnce(endpoint, {
        method: 'eth_getCode',
        isLong: true,
        params: [token, 'latest'],
        read: readBytes,
      }),
    ]);
    const symbolCall = encodeFunctionData({ abi: ERC20_ABI, functionName: 'symbol' });
    const [decimals, symbol] = await Promise.all([
      queryContract(this.rpc, endpoint, { abi: ERC20_ABI, to: token, functionName: 'decimals' }),
      this.rpc.callOnce(endpoint, contractCall(token, symbolCall)),
    ]);
    return {
      hasCode: code !== '0x',
      decimals: typeof decimals === 'number' ? decimals : null,
      symbol: readSymbol(symbol),
      ...(await this.simulate({ endpoint, token, head })),
    };
  }

  private async simulate(pinned: TokenAtBlock): Promise<Pick<TokenFacts, 'transfers' | 'balance'>> {
    const outcomes = await answerOrRefusal(this.transfers(pinned));
    if ('refused' in outcomes) return { transfers: outcomes, balance: outcomes };
    const [first] = outcomes.answer;
    if (first === undefined) {
      const refused = 'no recent transfer was found.';
      return { transfers: { refused }, balance: { refused } };
    }
    return {
      transfers: { answer: outcomes.answer.map(trialOf) },
      balance: await answerOrRefusal(this.passTime(pinned, first)),
    };
  }

  /** Simulates transfers by several real holders, because a token's rules can depend on the holder. */
  private async transfers(pinned: TokenAtBlock): Promise<TransferProbeOutcome[]> {
    const outcomes: TransferProbeOutcome[] = [];
    for (const holder of await recentHolders(this.rpc, pinned)) {
      const outcome = await this.probe(pinned, holder);
      if (outcome === null) throw new EndpointFailure(pinned.endpoint.network, NO_OVERRIDES, 'refused');
      outcomes.push(outcome);
    }
    return outcomes;
  }

  private async passTime(
    pinned: TokenAtBlock,
    { holder, time, holderBefore }: TransferProbeOutcome,
  ): Promise<BalanceTestResult> {
    const laterTime = time + YEAR_SECONDS;
    const later = await this.probe(pinned, holder, { time: `0x${laterTime.toString(16)}` });
    if (later?.time !== laterTime) {
      throw new EndpointFailure(pinned.endpoint.network, NO_BLOCK_OVERRIDES, 'refused');
    }
    return { now: holderBefore, later: later.holderBefore };
  }

  /** Transfers all but one smallest unit in one `eth_call` that overrides the holder's code with `TransferProbe`. */
  private async probe(
    { endpoint, token, head }: TokenAtBlock,
    holder: string,
    blockFields?: object,
  ): Promise<TransferProbeOutcome | null> {
    const { abi, deployedBytecode } = contractArtifact('TransferProbe');
    const question = {
      abi: abi as Abi,
      to: holder,
      functionName: 'transferAllButOne',
      args: [token, SIMULATED_RECIPIENT],
    };
    const state = { [holder]: { code: deployedBytecode } };
    const answer = await queryContract(this.rpc, endpoint, question, {
      block: toHexQuantity(head),
      state,
      blockFields,
    });
    const outcome = answer as (Omit<TransferProbeOutcome, 'holder'> & { readonly mark: Hex }) | null;
    return outcome?.mark === MARK ? { ...outcome, holder } : null;
  }
}

function trialOf(outcome: TransferProbeOutcome): TransferTestResult {
  return {
    moved: outcome.moved,
    amount: outcome.holderBefore - 1n,
    sent: outcome.holderBefore - outcome.holderAfter,
    arrived: outcome.recipientAfter - outcome.recipientBefore,
  };
}

/** Old tokens (MKR, SAI) return 32 bytes instead of a string. */
function readSymbol(answer: Hex | null): string | null {
  const text = decodeResult(ERC20_ABI, 'symbol', answer);
  if (typeof text === 'string') return text;
  if (answer?.length !== 2 + 64) return null;
  const bytes = hexToString(answer).replace(/\0+$/, '');
  return bytes === '' ? null : bytes;
}
