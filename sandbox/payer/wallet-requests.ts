import { chainRpc } from '../chain/chain-rpc.js';
import type { SandboxNetwork, SandboxPayer } from '../folder/sandbox-folder.js';

/** Response to a page (EIP-1193), with either a result or an error. */
export interface WalletAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Forwarded to the node, because they involve no account. */
const OF_THE_NODE = [
  ...['eth_chainId', 'eth_call', 'eth_getBalance', 'eth_estimateGas', 'eth_gasPrice'],
  ...['eth_getTransactionReceipt', 'eth_getTransactionByHash'],
];
const UNSUPPORTED = 4200;
const UNAUTHORIZED = 4100;
const UNKNOWN_NETWORK = 4902;
const FAULT = -32603;

/** Handles wallet requests from pages. The node signs, because it has the same well-known test key. */
export class WalletRequests {
  constructor(
    private readonly network: SandboxNetwork,
    private readonly payer: SandboxPayer,
  ) {}

  async answer(method: string, params: readonly unknown[]): Promise<WalletAnswer> {
    try {
      return await this.answerOf(method, params);
    } catch (error) {
      return refusal(FAULT, error instanceof Error ? error.message : String(error));
    }
  }

  private async answerOf(method: string, params: readonly unknown[]): Promise<WalletAnswer> {
    const { address } = this.payer;
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return { result: [address] };
    if (method === 'wallet_switchEthereumChain') return this.switchTo(params[0]);
    if (OF_THE_NODE.includes(method)) return { result: await this.node(method, params) };
    if (method === 'eth_sendTransaction') {
      const { from } = (params[0] ?? {}) as { from?: unknown };
      return this.isOwn(from) ? { result: await this.node(method, params) } : notOwn();
    }
    if (method === 'eth_signTypedData_v4') {
      const [signer, text] = params;
      if (!this.isOwn(signer)) return notOwn();
      const message: unknown = typeof text === 'string' ? JSON.parse(text) : text;
      return { result: await this.node(method, [signer, message]) };
    }
    return refusal(UNSUPPORTED, `The sandbox wallet does not support ${method}.`);
  }

  private switchTo(asked: unknown): WalletAnswer {
    const { chainId } = (asked ?? {}) as { chainId?: unknown };
    if (Number(chainId) === this.network.chain_id) return { result: null };
    return refusal(
      UNKNOWN_NETWORK,
      `The sandbox wallet has no network with the chain id ${String(chainId)}.`,
    );
  }

  private isOwn(account: unknown): boolean {
    return String(account).toLowerCase() === this.payer.address.toLowerCase();
  }

  private node(method: string, params: readonly unknown[]): Promise<unknown> {
    return chainRpc(this.network.rpc_url, method, [...params]);
  }
}

function notOwn(): WalletAnswer {
  return refusal(UNAUTHORIZED, 'The sandbox wallet has only one account.');
}

function refusal(code: number, message: string): WalletAnswer {
  return { error: { code, message } };
}
