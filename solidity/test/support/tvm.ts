import { type EVM, createEVM, getOpcodesForHF, paramsEVM } from '@ethereumjs/evm';
import { Hardfork, Mainnet, createCustomCommon } from '@ethereumjs/common';
import { Address as EvmAddress, bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util';
import { keccak_256 } from '@noble/hashes/sha3';
import { concatBytes } from '@noble/hashes/utils';
import { type Abi, type Address, type Hex, decodeFunctionResult, encodeFunctionData, getAddress } from 'viem';

const CREATE = 0xf0;
const CREATE2 = 0xf5;
const PREFIX = 0x41;
const CREATE_ENERGY = 32_000;
const ENERGY_LIMIT = 100_000_000n;
/**
 * java-tron's `EnergyCost`: no warm or cold accesses. Accesses of accounts cost 40, as a call; on TRON, those of a
 * balance or a code size cost 20.
 */
const ENERGY = {
  ...paramsEVM,
  2200: { ...paramsEVM[2200], sstoreInitEIP2200Gas: 19_950 },
  2929: {
    ...paramsEVM[2929],
    coldsloadGas: 50,
    coldaccountaccessGas: 40,
    warmstoragereadGas: 40,
    sstoreCleanEIP2200Gas: 4_950,
    sstoreNoopEIP2200Gas: 5_000,
    sstoreDirtyEIP2200Gas: 5_000,
  },
};

export interface TvmResult {
  readonly succeeded: boolean;
  readonly returned: Hex;
  readonly energy: number;
  readonly logs: readonly { address: Address; topics: Hex[]; data: Hex }[];
}

/** An EVM with two rules of TRON: `CREATE2` hashes the prefix 0x41, and created addresses have 21 bytes on the stack. */
export class Tvm {
  private nonce = 0;

  private constructor(
    private readonly evm: EVM,
    readonly caller: Address,
  ) {}

  static async start(chainId: number, caller: Address): Promise<Tvm> {
    const options = { hardfork: Hardfork.Cancun, params: ENERGY };
    const common = createCustomCommon({ chainId }, Mainnet, options);
    const { handlers, dynamicGasHandlers } = getOpcodesForHF(common);
    const withPrefix = (opcode: number) => ({
      opcode,
      opcodeName: opcode === CREATE ? 'CREATE' : 'CREATE2',
      baseFee: CREATE_ENERGY,
      gasFunction: dynamicGasHandlers.get(opcode)!,
      logicFunction: async (...[state, rules]: Parameters<NonNullable<ReturnType<typeof handlers.get>>>) => {
        await handlers.get(opcode)!(state, rules);
        const created = state.stack.pop();
        state.stack.push(created === 0n ? 0n : created | (BigInt(PREFIX) << 160n));
      },
    });
    const customOpcodes = [withPrefix(CREATE), withPrefix(CREATE2)];
    const evm = await createEVM({ common, params: ENERGY, customOpcodes });
    const tvm = new Tvm(evm, caller);
    Object.assign(evm, { _generateAddress: (message: Creation) => Promise.resolve(tvm.addressOf(message)) });
    return tvm;
  }

  async deploy(creationCode: Hex): Promise<Address | null> {
    const { result, createdAddress } = await this.run(null, creationCode);
    return result.succeeded ? getAddress(createdAddress!) : null;
  }

  async call(to: Address, data: Hex): Promise<TvmResult> {
    return (await this.run(to, data)).result;
  }

  async read(
    address: Address,
    abi: Abi,
    functionName: string,
    args: readonly unknown[] = [],
  ): Promise<unknown> {
    const { returned } = await this.call(address, encodeFunctionData({ abi, functionName, args }));
    return decodeFunctionResult({ abi, functionName, args, data: returned });
  }

  private async run(to: Address | null, data: Hex) {
    const { execResult, createdAddress } = await this.evm.runCall({
      caller: createAddressFromString(this.caller),
      ...(to !== null && { to: createAddressFromString(to) }),
      data: hexToBytes(data),
      gasLimit: ENERGY_LIMIT,
    });
    await this.evm.journal.cleanup();
    this.evm.transientStorage.clear();
    const result: TvmResult = {
      succeeded: execResult.exceptionError === undefined,
      returned: bytesToHex(execResult.returnValue),
      energy: Number(execResult.executionGasUsed),
      logs: (execResult.logs ?? []).map(([address, topics, bytes]) => ({
        address: getAddress(bytesToHex(address)),
        topics: topics.map((topic) => bytesToHex(topic)),
        data: bytesToHex(bytes),
      })),
    };
    return { result, createdAddress: createdAddress?.toString() };
  }

  /** Contracts created without a salt have an address that follows from the transaction, as on TRON. */
  private addressOf({ caller, salt, code }: Creation): EvmAddress {
    const preimage =
      salt === undefined
        ? [caller.bytes, new Uint8Array([(this.nonce += 1)])]
        : [new Uint8Array([PREFIX]), caller.bytes, salt, keccak_256(code as Uint8Array)];
    return new EvmAddress(keccak_256(concatBytes(...preimage)).subarray(12));
  }
}

interface Creation {
  readonly caller: EvmAddress;
  readonly salt?: Uint8Array;
  readonly code?: unknown;
}
