/** A wallet of play money beside a development service: it pays when it is asked to. */
export abstract class SandboxWallet {
  /** False outside a sandbox: then nothing may be asked of it. */
  abstract readonly isThere: boolean;

  /**
   * Takes the payment on; it is sent a moment later, and more than one in the order they were asked for.
   * @param amount smallest units
   * @param notBefore sent in a block whose timestamp is not earlier; absent: at once
   * @throws unavailable while it does not answer, state_conflict for what it cannot pay
   */
  abstract pay(
    asset: { readonly uniqueAssetId: string; readonly address: string },
    amount: bigint,
    notBefore?: Date,
  ): Promise<void>;
}
