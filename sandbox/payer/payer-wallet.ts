import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import {
  createClient,
  http,
  maxUint256,
  TransactionReceiptNotFoundError,
  type Account,
  type Address,
  type Client,
  type Hex,
  type Transport,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  getBalance,
  getBlock,
  getTransactionReceipt,
  readContract,
  sendTransaction,
  waitForTransactionReceipt,
  writeContract,
} from 'viem/actions';
import {
  deployPayerContract,
  encodePayerCall,
  NATIVE_COIN,
  nativeValueOf,
  payerContractAddress,
  type ChainPayment,
  type PayerContractCall,
} from '../chain/payer-contract.js';
import { TOKEN_ABI } from '../chain/test-tokens.js';
import type { SandboxPayer } from '../folder/sandbox-folder.js';

/** The node's estimate fails for calls that revert on purpose. */
const CONTRACT_GAS_EACH = 250_000n;

export class PayerWallet {
  private readonly client: Client<Transport, undefined, Account>;

  constructor(rpcUrl: string, payer: SandboxPayer) {
    this.client = createClient({
      account: privateKeyToAccount(payer.private_key),
      transport: http(rpcUrl, { fetchFn: outgoingFetch }),
      pollingInterval: 200,
      cacheTime: 0,
    });
  }

  get address(): Address {
    return this.client.account.address;
  }

  /**
   * In smallest units.
   * @param token a contract or `NATIVE_COIN`
   */
  balance(token: Address, holder: Address = this.address): Promise<bigint> {
    if (token === NATIVE_COIN) return getBalance(this.client, { address: holder });
    const call = { address: token, abi: TOKEN_ABI, functionName: 'balanceOf', args: [holder] } as const;
    return readContract(this.client, call);
  }

  /**
   * @param token a contract or `NATIVE_COIN`
   * @returns the hash of an unmined transaction
   */
  send(token: Address, to: Address, amount: bigint): Promise<Hex> {
    if (token === NATIVE_COIN) return sendTransaction(this.client, { to, value: amount, chain: null });
    const call = { address: token, abi: TOKEN_ABI, functionName: 'transfer', args: [to, amount] } as const;
    return writeContract(this.client, { ...call, chain: null });
  }

  /**
   * Makes all payments in one transaction. Deploys and approves the contract if necessary.
   * @returns the hash of an unmined transaction, which may revert
   */
  async sendFromContract(
    payments: readonly ChainPayment[],
    call: PayerContractCall = 'pullAndPay',
  ): Promise<Hex> {
    await deployPayerContract(this.client);
    if (call === 'pullAndPay') await this.allow(payments);
    return sendTransaction(this.client, {
      to: payerContractAddress(),
      data: encodePayerCall(call, payments),
      // `pay` uses the contract's own balance, as an exchange does.
      value: call === 'pay' ? 0n : nativeValueOf(payments),
      gas: 100_000n + CONTRACT_GAS_EACH * BigInt(payments.length),
      chain: null,
    });
  }

  /**
   * @returns the block number of the transaction
   * @throws Error if the transaction reverted
   */
  async mined(hash: Hex): Promise<bigint> {
    const { status, blockNumber } = await waitForTransactionReceipt(this.client, { hash, timeout: 30_000 });
    if (status !== 'success') throw new Error(`Transaction ${hash} was reverted.`);
    return blockNumber;
  }

  /**
   * Returns whether the transaction is in a block now.
   * @throws Error if the transaction reverted
   */
  async isMined(hash: Hex): Promise<boolean> {
    try {
      const { status } = await getTransactionReceipt(this.client, { hash });
      if (status !== 'success') throw new Error(`Transaction ${hash} was reverted.`);
      return true;
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return false;
      throw error;
    }
  }

  /** The newest block's timestamp. */
  async chainTime(): Promise<Date> {
    const { timestamp } = await getBlock(this.client, { blockTag: 'latest' });
    return new Date(Number(timestamp) * 1_000);
  }

  private async allow(payments: readonly ChainPayment[]): Promise<void> {
    const spender = payerContractAddress();
    const tokens = new Set(payments.map(({ token }) => token).filter((token) => token !== NATIVE_COIN));
    for (const address of tokens) {
      const token = { address, abi: TOKEN_ABI } as const;
      const args = [this.address, spender] as const;
      const allowed = await readContract(this.client, { ...token, functionName: 'allowance', args });
      if (allowed >= maxUint256 / 2n) continue;
      const approve = { functionName: 'approve', args: [spender, maxUint256], chain: null } as const;
      await this.mined(await writeContract(this.client, { ...token, ...approve }));
    }
  }
}

/** The contract of `n{network}_t{token}`, or `NATIVE_COIN`. */
export function tokenOf(uniqueAssetId: string): Address {
  const token = uniqueAssetId.slice(uniqueAssetId.lastIndexOf('_t') + 2);
  return token.startsWith('0x') ? (token as Address) : NATIVE_COIN;
}
