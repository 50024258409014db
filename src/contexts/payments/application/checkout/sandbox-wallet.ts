/** A wallet of test assets beside a development service. */
export abstract class SandboxWallet {
  /** False outside a sandbox: then `pay` must not be called. */
  abstract readonly isConfigured: boolean;

  /**
   * Queues the payment. Payments are sent shortly afterwards, in the order of the calls.
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
