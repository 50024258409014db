import { setTimeout as pause } from 'node:timers/promises';
import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak_256 } from '@noble/hashes/sha3';
import { type Abi, type Hex, encodeFunctionData, decodeFunctionResult } from 'viem';
import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import type { Json } from './protobuf.js';
import { PREFIX } from './tron-address.js';
import type { ContractType } from './tron-messages.js';
import { createdAddress, readTransaction, transactionJson } from './tron-transaction.js';

const EXPIRATION_MS = 60_000;
const POLL_MS = 200;
const MINED_WITHIN_MS = 60_000;
/** Sun. */
const FEE_LIMIT = 1_000_000_000;
const CREATION_FEE_LIMIT = 10_000_000_000;

/** Signs and sends transactions by TRON's HTTP API. Addresses have 21 bytes in hexadecimal. */
export class TronWallet {
  readonly address: string;

  /** @param key without 0x */
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {
    const publicKey = secp256k1.getPublicKey(key, false).subarray(1);
    this.address = PREFIX + Buffer.from(keccak_256(publicKey).subarray(12)).toString('hex');
  }

  /** @param feeLimit in sun @returns the transaction's id */
  call(
    contract: string,
    abi: Abi,
    functionName: string,
    args: readonly unknown[],
    feeLimit = FEE_LIMIT,
  ): Promise<string> {
    const data = encodeFunctionData({ abi, functionName, args }).slice(2);
    const value = { owner_address: this.address, contract_address: contract, data };
    return this.send('TriggerSmartContract', value, feeLimit);
  }

  async read(contract: string, abi: Abi, functionName: string, args: readonly unknown[]): Promise<unknown> {
    const data = encodeFunctionData({ abi, functionName, args }).slice(2);
    const request = { owner_address: this.address, contract_address: contract, data };
    const { constant_result } = await this.post<{ constant_result: string[] }>(
      'triggerconstantcontract',
      request,
    );
    return decodeFunctionResult({ abi, functionName, args, data: `0x${constant_result[0]!}` });
  }

  /** @returns the transaction's id, and the address of the contract that it creates */
  async create(name: string, creationCode: Hex): Promise<{ id: string; address: string }> {
    const new_contract = {
      origin_address: this.address,
      bytecode: creationCode.slice(2),
      consume_user_resource_percent: 100,
      name,
      origin_energy_limit: 10_000_000,
    };
    const value = { owner_address: this.address, new_contract };
    const id = await this.send('CreateSmartContract', value, CREATION_FEE_LIMIT);
    return { id, address: createdAddress({ id, owner: this.address }) };
  }

  /** @throws Error if the transaction failed or is in no block */
  async mined(id: string): Promise<number> {
    for (
      const deadline = performance.now() + MINED_WITHIN_MS;
      performance.now() < deadline;
      await pause(POLL_MS)
    ) {
      const info = await this.post<{ blockNumber?: number; result?: string }>('gettransactioninfobyid', {
        value: id,
      });
      if (info.result === 'FAILED') throw new Error(`Transaction ${id} failed.`);
      if (info.blockNumber !== undefined) return info.blockNumber;
    }
    throw new Error(`Transaction ${id} is not in a block.`);
  }

  private async send(type: ContractType, value: Json, feeLimit: number): Promise<string> {
    type Head = { blockID: string; block_header: { raw_data: { timestamp: number } } };
    const { blockID, block_header } = await this.post<Head>('getnowblock', {});
    const { timestamp } = block_header.raw_data;
    const raw_data = {
      contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
      ref_block_bytes: blockID.slice(12, 16),
      ref_block_hash: blockID.slice(16, 32),
      expiration: timestamp + EXPIRATION_MS,
      // Two equal payments differ only in this.
      timestamp: Date.now(),
      fee_limit: feeLimit,
    };
    const { id } = readTransaction({ raw_data });
    const signature = secp256k1.sign(id, this.key);
    const digits = signature.toCompactHex() + signature.recovery.toString(16).padStart(2, '0');
    const signed = transactionJson(readTransaction({ raw_data, signature: [digits] }));
    const answer = await this.post<{ result?: boolean; code?: string; message?: string }>(
      'broadcasttransaction',
      signed,
    );
    if (answer.result === true) return id;
    const message = Buffer.from(answer.message ?? '', 'hex').toString();
    throw new Error(`The network refused the transaction: ${String(answer.code)} ${message}`);
  }

  private async post<Answer>(method: string, body: object): Promise<Answer> {
    const response = await outgoingFetch(`${this.url}/wallet/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    return (await response.json()) as Answer;
  }
}
