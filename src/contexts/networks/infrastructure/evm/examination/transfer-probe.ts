import { type Abi, type Hex, keccak256, toHex } from 'viem';
import type { Endpoint } from '../../../domain/endpoint.js';
import { askContract, type CallSurroundings } from '../rpc/contract-calls.js';
import { contractArtifact } from '../forwarders/forwarder-artifacts.js';
import type { JsonRpc } from '../rpc/json-rpc.js';

/** The answer of `TransferProbe.transferAllButOne`, in smallest units. */
export interface ProbeOutcome {
  readonly moved: boolean;
  /** Of the simulated block, in seconds. */
  readonly time: bigint;
  readonly holderBefore: bigint;
  readonly holderAfter: bigint;
  readonly recipientBefore: bigint;
  readonly recipientAfter: bigint;
}

const MARK = keccak256(toHex('TransferProbe'));
/** Nobody's: it holds nothing, and no token has it exempt from anything. */
const RECIPIENT = `0x${keccak256(toHex('recipient of a simulated transfer')).slice(26)}` as Hex;

/**
 * Lets the holder transfer all it has but one smallest unit, in one `eth_call` that lends it the probe's code: nothing is sent.
 * @returns null where the endpoint lends no code, or the token fails altogether
 * @throws ChainUnavailable also where the endpoint refuses to pretend anything
 */
export async function probeTransfer(
  rpc: JsonRpc,
  endpoint: Endpoint,
  token: string,
  holder: string,
  surroundings: CallSurroundings,
): Promise<ProbeOutcome | null> {
  const { abi, deployedBytecode } = contractArtifact('TransferProbe');
  const question = {
    abi: abi as Abi,
    to: holder,
    functionName: 'transferAllButOne',
    args: [token, RECIPIENT],
  };
  const state = { ...surroundings.state, [holder]: { code: deployedBytecode } };
  const answer = await askContract(rpc, endpoint, question, { ...surroundings, state });
  const outcome = answer as (ProbeOutcome & { mark: Hex }) | null;
  return outcome?.mark === MARK ? outcome : null;
}
