import type { PlannedTransfer } from './transfer-planning.js';

/** EIP-712 domain of a token, as its contract has it: a signature for another domain is worth nothing. */
export interface TokenDomain {
  readonly name: string;
  readonly version: string;
  /** EIP-155 */
  readonly chainId: number;
  /** EIP-55 spelling */
  readonly verifyingContract: string;
}

/** `TransferWithAuthorization` of EIP-3009. Addresses in the spelling by which addresses are matched. */
export interface TransferAuthorization {
  readonly from: string;
  readonly to: string;
  /** Smallest units of the token. */
  readonly value: bigint;
  /** Unix seconds; the token takes it after `validAfter` and before `validBefore`. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  /** 32 bytes in hex with `0x`, lower case: the token takes it once for each `from`. */
  readonly nonce: string;
}

/** An authorization with what its payer signed: 65 bytes of an account, or the bytes that a contract accepts (EIP-1271, ERC-6492). */
export interface SignedAuthorization {
  readonly network: string;
  /** The token's contract. */
  readonly token: string;
  readonly authorization: TransferAuthorization;
  /** Hex with `0x`, lower case. */
  readonly signature: string;
}

export interface PlannedAuthorization extends PlannedTransfer {
  /** Balance of `from` in the token before the call, in smallest units. */
  readonly balance: bigint;
}

/** Plans the call that carries out what a payer signed, and proves it by simulation before anything is sent. */
export abstract class AuthorizedTransfers {
  /**
   * The domain of a token that takes authorizations, read on the chain once for each process and kept.
   * @returns null where the token has no `transferWithAuthorization`, or its domain cannot be proven
   * @throws ChainUnavailable
   */
  abstract domainOf(network: string, token: string): Promise<TokenDomain | null>;
  /** The call, made without asking a node. @throws AuthorizationRefused for a signature of no known form */
  abstract encode(signed: SignedAuthorization): Omit<PlannedTransfer['call'], 'gasLimit'>;
  /**
   * Answers, without asking a node, whether the call carries out what was signed and nothing else, for no more gas than such a
   * call may take. `plan` chooses between the forms that a token has, and so may differ from `encode`.
   */
  abstract carriesOut(signed: SignedAuthorization, call: PlannedTransfer['call']): boolean;
  /** Reads a call as `plan` makes them, without asking a node. @returns null where it is no such call */
  abstract read(
    network: string,
    call: Omit<PlannedTransfer['call'], 'gasLimit'>,
  ): Pick<SignedAuthorization, 'token' | 'authorization'> | null;
  /**
   * Simulated as it will be sent by the gas key, the call brought the whole value to `to`.
   * @throws AuthorizationRefused, ChainUnavailable
   */
  abstract plan(signed: SignedAuthorization): Promise<PlannedAuthorization>;
  /** Answers whether the token shows the nonce of `from` as used or cancelled. @throws ChainUnavailable */
  abstract isUsed(signed: SignedAuthorization): Promise<boolean>;
}

/** Finds stored authorizations before their calls are signed. The context that accepts authorizations implements it: docs/decisions/0038-order-check-before-signing.md. */
export abstract class OrderedAuthorizations {
  /** @param id of the outbound transaction @returns null where no such authorization is to be sent */
  abstract find(id: string): Promise<SignedAuthorization | null>;
}

/** The token would not carry out what was signed, or nobody should pay gas for it. */
export class AuthorizationRefused extends Error {
  constructor(
    /**
     * `signature`: not by `from`, malleable, or of no known form. `balance`: `from` holds less. `used`: the nonce was used or
     * cancelled. `time`: expired or not yet valid. `token`: the asset takes none, or the simulated call did not bring the value.
     */
    readonly reason: 'signature' | 'balance' | 'used' | 'time' | 'token',
    message: string,
  ) {
    super(message);
    this.name = 'AuthorizationRefused';
  }
}
