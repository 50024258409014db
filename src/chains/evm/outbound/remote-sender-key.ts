import { toHex } from 'viem';
import { SenderKey } from '#contexts/networks/application/outbound/sender-keys.js';
import type {
  SignedTransaction,
  UnsignedTransaction,
} from '#contexts/networks/application/outbound/outbound-chain.js';
import { readBytes } from '../../ethereum-rpc/contract-calls.js';
import { toJsonRpcRequest, readResponse, type RpcCall } from '../../rpc/rpc-envelope.js';
import { RpcTransport } from '../../rpc/rpc-transport.js';
import { toViemTransaction, verifySignedTransaction } from './transaction-bytes.js';

const REQUEST_ID = 1;

/** A key in a separate signer with the JSON-RPC method `eth_signTransaction`: Web3Signer, Clef, or a wallet gateway. */
export class RemoteSenderKey extends SenderKey {
  readonly address: string;
  private readonly transport: RpcTransport;

  constructor(url: string, address: string, timeoutMs: number) {
    super();
    this.address = address.toLowerCase();
    this.transport = new RpcTransport(url, timeoutMs);
  }

  async sign(transaction: UnsignedTransaction): Promise<SignedTransaction> {
    const call: RpcCall<string> = {
      method: 'eth_signTransaction',
      params: [this.parameters(transaction)],
      read: (answer) => readBytes((answer as { raw?: unknown } | null)?.raw ?? answer),
    };
    const raw = await this.transport
      .post(JSON.stringify(toJsonRpcRequest(REQUEST_ID, call)))
      .then((answer) => readResponse(call, REQUEST_ID, answer))
      .catch((error: Error) => {
        throw new Error(`The signer of ${this.address} did not sign: ${error.message}.`);
      });
    return verifySignedTransaction(raw, transaction, this.address);
  }

  private parameters(unsigned: UnsignedTransaction): Record<string, string> {
    const { type: _, ...fields } = toViemTransaction(unsigned);
    const entries = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : toHex(value as bigint | number),
    ]);
    return { from: this.address, ...(Object.fromEntries(entries) as Record<string, string>) };
  }
}
