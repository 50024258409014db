import { Injectable } from '@nestjs/common';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { NonceUse } from '#contexts/networks/domain/outbound/on-chain-status.js';
import {
  readAddressField,
  type JsonFields,
  readFields,
  toHexQuantity,
  readQuantity,
  readWord,
} from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { signedCallOf } from './transaction-bytes.js';

@Injectable()
export class NonceSearch {
  constructor(private readonly rpc: JsonRpc) {}

  /**
   * Searches backwards from the newest final block and doubles each step, because nodes keep the state of recent
   * blocks.
   */
  async find(endpoint: Endpoint, address: string, nonce: number, final: number): Promise<NonceUse | null> {
    const isPassed = async (number: number) => {
      if (number < 0) return false;
      const count = await this.count(endpoint, address, number);
      return count === null ? null : count > nonce;
    };
    if ((await isPassed(final)) !== true) return null;
    let [passed, before, step] = [final, final - 1, 1];
    for (let outcome = await isPassed(before); outcome !== false; outcome = await isPassed(before)) {
      if (outcome === null) return null;
      step *= 2;
      [passed, before] = [before, Math.max(before - step, -1)];
    }
    while (passed - before > 1) {
      const middle = Math.floor((passed + before) / 2);
      const outcome = await isPassed(middle);
      if (outcome === null) return null;
      if (outcome) passed = middle;
      else before = middle;
    }
    return this.inBlock(endpoint, address, nonce, passed);
  }

  async isInSameBlock(
    endpoint: Endpoint,
    address: string,
    nonce: number,
    { hash, blockNumber }: NonceUse,
  ): Promise<boolean> {
    const fields = await this.ofHash(endpoint, address, nonce, hash);
    return fields !== null && readQuantity(fields.blockNumber, 'blockNumber') === blockNumber;
  }

  async findByHash(
    endpoint: Endpoint,
    address: string,
    nonce: number,
    hash: string,
  ): Promise<NonceUse | null> {
    const fields = await this.ofHash(endpoint, address, nonce, hash);
    return fields === null ? null : useOf(fields, address);
  }

  private ofHash(
    endpoint: Endpoint,
    address: string,
    nonce: number,
    hash: string,
  ): Promise<JsonFields | null> {
    return this.rpc.call(endpoint, {
      method: 'eth_getTransactionByHash',
      isLong: true,
      params: [hash],
      read: (answer) => {
        if (answer === null) return null;
        const fields = readFields(answer, 'a transaction');
        const isIt =
          fields.blockNumber != null &&
          readWord(fields.hash, 'hash') === hash &&
          isOf(fields, address, nonce);
        return isIt ? fields : null;
      },
    });
  }

  private count(endpoint: Endpoint, address: string, number: number): Promise<number | null> {
    return this.rpc.call<number | null>(endpoint, {
      method: 'eth_getTransactionCount',
      params: [address, toHexQuantity(number)],
      read: (answer) => readQuantity(answer, 'the count'),
      refused: () => null,
    });
  }

  private async inBlock(endpoint: Endpoint, address: string, nonce: number, number: number) {
    const found = await this.rpc.call<JsonFields | null>(endpoint, {
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: [toHexQuantity(number), true],
      read: (answer) => {
        const { transactions } = readFields(answer, 'a block');
        if (!Array.isArray(transactions)) throw new MalformedAnswer('the transactions are not a list');
        return (
          transactions
            .map((transaction) => readFields(transaction, 'a transaction'))
            .find((each) => isOf(each, address, nonce)) ?? null
        );
      },
    });
    return found === null ? null : useOf({ ...found, blockNumber: toHexQuantity(number) }, address);
  }
}

function isOf(fields: JsonFields, address: string, nonce: number): boolean {
  return readAddressField(fields.from, 'from') === address && readQuantity(fields.nonce, 'nonce') === nonce;
}

async function useOf(fields: JsonFields, address: string): Promise<NonceUse> {
  const hash = readWord(fields.hash, 'hash');
  const blockNumber = readQuantity(fields.blockNumber, 'blockNumber');
  return { hash, blockNumber, signed: await signedCallOf(fields, hash, address) };
}
