import { encodeFunctionData, parseAbi, zeroAddress, type Address, type Hex } from 'viem';
import {
  contractArtifact,
  deployOnce,
  deterministicAddress,
  type Deployer,
} from './deterministic-deployment.js';

/** Represents the native coin where a token address is expected. */
export const NATIVE_COIN: Address = zeroAddress;

export interface ChainPayment {
  /** The token's contract, or `NATIVE_COIN`. */
  readonly token: Address;
  readonly to: Address;
  /** Smallest units. */
  readonly amount: bigint;
}

/**
 * Functions of the contract. Each makes its payments in one transaction, all or none.
 * - `pay`: pays from the contract's balance and the call's value.
 * - `pullAndPay`: first takes tokens that the caller has approved.
 * - `payAndRevert`: the entire transaction fails.
 * - `tryPayAndRevert`: the transaction succeeds, but its payments are reverted and the value is returned.
 */
export type PayerContractCall = 'pay' | 'pullAndPay' | 'payAndRevert' | 'tryPayAndRevert';

const PAYMENTS = '((address token, address to, uint256 amount)[] payments) payable';
const ABI = parseAbi([
  `function pay${PAYMENTS}`,
  `function pullAndPay${PAYMENTS}`,
  `function payAndRevert${PAYMENTS}`,
  `function tryPayAndRevert${PAYMENTS}`,
]);

/** The same address on every chain, EIP-55. */
export function payerContractAddress(): Address {
  return deterministicAddress(contractArtifact('PayerContract').bytecode);
}

export function deployPayerContract(client: Deployer): Promise<void> {
  return deployOnce(client, contractArtifact('PayerContract').bytecode);
}

export function encodePayerCall(call: PayerContractCall, payments: readonly ChainPayment[]): Hex {
  return encodeFunctionData({ abi: ABI, functionName: call, args: [payments] });
}

export function nativeValueOf(payments: readonly ChainPayment[]): bigint {
  return payments.reduce((sum, { token, amount }) => (token === NATIVE_COIN ? sum + amount : sum), 0n);
}
