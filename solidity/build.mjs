import { readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { getAddress, keccak256 } from 'viem';

const require = createRequire(import.meta.url);
const here = new URL('./', import.meta.url);

const deployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const deploymentSalt = `0x${'00'.repeat(32)}`;
/** The constructor's argument on EVM networks: the prefix 0xff (EIP-1014), padded. */
const evmPrefix = 'ff'.padEnd(64, '0');

const artifacts = {
  ForwarderFactory: 'src/ForwarderFactory.sol',
  Forwarder: 'src/Forwarder.sol',
  TronForwarder: 'src/TronForwarder.sol',
  TronForwarderFactory: 'src/TronForwarderFactory.sol',
  TestToken: 'test-tokens/TestToken.sol',
  TronTestToken: 'test-tokens/TronTestToken.sol',
  PayerContract: 'test-tokens/PayerContract.sol',
  TransferProbe: 'src/TransferProbe.sol',
};

/** Tests deploy the contracts in these files. Compiling them takes longer than the tests. */
const testContracts = ['Authorized', 'Hostile', 'Plain', 'Unfit'].map((name) => `test/contracts/${name}.sol`);

// Every setting below is part of the factory's address: another byte of code is another address for every
// deposit. No metadata, so that neither comments nor paths reach the code.
const settings = {
  evmVersion: 'cancun',
  viaIR: true,
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};

/**
 * Compiles Solidity files, named relative to this folder; without any, those whose artifacts are committed.
 * @param {string[]} files
 * @returns {Record<string, {abi: object[], bytecode: `0x${string}`, deployedBytecode: `0x${string}`}>} by contract
 * @throws Error with the compiler's own message, also on warnings
 */
export function compile(files = Object.values(artifacts)) {
  const solc = require('solc');
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: read(new URL(file, here)) }])),
    settings,
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: resolve }));
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'));

  const compiled = files.flatMap((file) => Object.entries(output.contracts[file] ?? {}));
  return Object.fromEntries(
    compiled.map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` },
    ]),
  );
}

/** A deployment is bound to these facts of the artifacts; `solidity/README.md` explains the pieces. */
export function deployment({ Forwarder, ForwarderFactory }) {
  const factory = create2(deployer, deploymentSalt, `${ForwarderFactory.bytecode}${evmPrefix}`);
  const implementation = create2(factory, deploymentSalt, Forwarder.bytecode);
  return {
    cloneCodeAfterImplementation: '0x5af43d82803e903d91602b57fd5bf3',
    cloneCodeAfterLength: '0x3d81600a3d39f3363d3d373d3d3d363d73',
    cloneCodeBeforeLength: '0x61',
    cloneRuntimeLength: 45,
    deployer,
    deploymentSalt,
    factory,
    implementation,
  };
}

function create2(from, salt, initCode) {
  const preimage = `0xff${from.slice(2)}${salt.slice(2)}${keccak256(initCode).slice(2)}`;
  return getAddress(`0x${keccak256(preimage).slice(26)}`);
}

/** The committed text of a value: keys sorted, so that only a change of content is a difference. */
export function stable(value) {
  return `${JSON.stringify(sorted(value), null, 1)}\n`;
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** The text of `test/contracts/compiled.json`: contracts by name, one on a line. */
export function compiledForTests() {
  const compiled = Object.entries(compile(testContracts));
  const lines = compiled.map(
    ([name, { abi, bytecode }]) => `"${name}": ${JSON.stringify(sorted({ abi, bytecode }))}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

function resolve(path) {
  try {
    return { contents: read(path.startsWith('@') ? require.resolve(path) : new URL(path, here)) };
  } catch (error) {
    return { error: error.message };
  }
}

/** The factory of TRON is the other one, with `TronForwarder` for `Forwarder`. */
function read(location) {
  const path = String(location);
  if (path.endsWith('/TronForwarderFactory.sol'))
    return read(new URL('src/ForwarderFactory.sol', here))
      .replaceAll(/\bForwarderFactory\b/g, 'TronForwarderFactory')
      .replace('import {Forwarder}', 'import {TronForwarder} from "./TronForwarder.sol";\nimport {Forwarder}')
      .replaceAll(/(?<=type\(|new )Forwarder\b/g, 'TronForwarder');
  return readFileSync(location, 'utf8').replaceAll('\r\n', '\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--write')) {
  const compiled = compile();
  writeFileSync(new URL('test/contracts/compiled.json', here), compiledForTests());
  mkdirSync(new URL('artifacts/', here), { recursive: true });
  for (const [name, value] of Object.entries({ ...compiled, deployment: deployment(compiled) })) {
    writeFileSync(new URL(`artifacts/${name}.json`, here), stable(value));
  }
}
