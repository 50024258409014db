import { encodeFunctionData, parseAbi, zeroAddress, type Address, type Hex } from 'viem';
import {
  contractArtifact,
  deployOnce,
  deterministicAddress,
  type Deployer,
} from './deterministic-deployment.js';

/** Stands for the network's native coin in place of a token's address, as in the forwarder factory. */
export const NATIVE_COIN: Address = zeroAddress;

export interface ChainPayment {
  /** The token's contract, or `NATIVE_COIN`. */
  readonly token: Address;
  readonly to: Address;
  /** Smallest units. */
  readonly amount: bigint;
}

/**
 * Each call makes its payments in one transaction, all or none. `pay`: out of what the contract holds, and the value of
 * the call. `pullAndPay`: tokens are taken from the caller first, who has approved them. `payAndRevert`: the whole
 * transaction fails. `tryPayAndRevert`: it succeeds, though what it paid inside was undone and the value went back.
 */
export type PayerContractCall = 'pay' | 'pullAndPay' | 'payAndRevert' | 'tryPayAndRevert';

const PAYMENTS = '((address token, address to, uint256 amount)[] payments) payable';
const ABI = parseAbi([
  `function pay${PAYMENTS}`,
  `function pullAndPay${PAYMENTS}`,
  `function payAndRevert${PAYMENTS}`,
  `function tryPayAndRevert${PAYMENTS}`,
]);

/** The contract's address on every chain, EIP-55. */
export function payerContractAddress(): Address {
  return deterministicAddress(contractArtifact('PayerContract').bytecode);
}

/** Deploys the contract unless it is there already. */
export function deployPayerContract(client: Deployer): Promise<void> {
  return deployOnce(client, contractArtifact('PayerContract').bytecode);
}

/** The transaction's `data`. */
export function encodePayerCall(call: PayerContractCall, payments: readonly ChainPayment[]): Hex {
  return encodeFunctionData({ abi: ABI, functionName: call, args: [payments] });
}

/** The native value that these payments need. */
export function nativeValueOf(payments: readonly ChainPayment[]): bigint {
  return payments.reduce((sum, { token, amount }) => (token === NATIVE_COIN ? sum + amount : sum), 0n);
}
