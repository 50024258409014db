import type { PlannedTransfer } from './transfer-planning.js';

/** The token rejects a signature for any other domain. */
export interface TokenDomain {
  readonly name: string;
  readonly version: string;
  /** Chain id (EIP-155). */
  readonly chainId: number;
  /** In EIP-55. */
  readonly verifyingContract: string;
}

/** `TransferWithAuthorization` of EIP-3009. Addresses are in the canonical spelling. */
export interface TransferAuthorization {
  readonly from: string;
  readonly to: string;
  /** Smallest units of the token. */
  readonly value: bigint;
  /** Unix seconds. The token accepts the authorization after `validAfter` and before `validBefore`. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  /** 32 bytes in lower-case hex with `0x`. The token accepts each nonce only once per `from`. */
  readonly nonce: string;
}

/** Signed by an externally owned account (65 bytes) or a contract account (any bytes: EIP-1271, ERC-6492). */
export interface SignedTransferAuthorization {
  readonly network: string;
  readonly token: string;
  readonly authorization: TransferAuthorization;
  /** Lower-case hex with `0x`. */
  readonly signature: string;
}

export interface PlannedAuthorizedTransfer extends PlannedTransfer {
  /** Token balance of `from` before the call, in smallest units. */
  readonly balance: bigint;
}

/** A simulation proves the call before the service sends it. */
export interface AuthorizedTransfers {
  /**
   * @returns null if the token has no `transferWithAuthorization`, or its domain cannot be proven
   */
  eip712Domain(token: string): Promise<TokenDomain | null>;
  /**
   * @throws TransferAuthorizationRefused if the signature has an unknown form
   */
  encode(signed: SignedTransferAuthorization): Omit<PlannedTransfer['call'], 'gasLimit'>;
  /**
   * True if the call executes exactly the signed authorization within the gas bound. `plan` may choose another
   * function variant than `encode`.
   */
  isExecutedBy(signed: SignedTransferAuthorization, call: PlannedTransfer['call']): boolean;
  /** Decodes a call made by `plan`, without contacting a node. @returns null for any other call */
  decode(
    call: Omit<PlannedTransfer['call'], 'gasLimit'>,
  ): Pick<SignedTransferAuthorization, 'token' | 'authorization'> | null;
  /** A simulation with the gas key as sender must deliver the full value to `to`. */
  plan(signed: SignedTransferAuthorization): Promise<PlannedAuthorizedTransfer>;
  /** True if the token reports the nonce of `from` as used or cancelled. @throws ChainUnavailable */
  isUsed(signed: SignedTransferAuthorization): Promise<boolean>;
}

/** Implemented by the module that accepts authorizations: docs/decisions/0038-order-check-before-signing.md. */
export abstract class AcceptedTransferAuthorizations {
  abstract find(id: string): Promise<SignedTransferAuthorization | null>;
}

/** Thrown if the token would not execute the authorization, or if the service should not pay gas for it. */
export class TransferAuthorizationRefused extends Error {
  constructor(
    /**
     * - `signature`: not by `from`, malleable, or of an unknown form
     * - `balance`: `from` holds too little
     * - `used`: the nonce is used or cancelled
     * - `time`: expired or not yet valid
     * - `token`: the asset accepts no authorizations, or the simulated call did not deliver the value
     */
    readonly reason: 'signature' | 'balance' | 'used' | 'time' | 'token',
    message: string,
  ) {
    super(message);
    this.name = 'AuthorizationRefused';
  }
}
