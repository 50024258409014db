import { readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const here = new URL('./', import.meta.url);

const artifacts = {
  ForwarderFactory: 'src/ForwarderFactory.sol',
  Forwarder: 'src/Forwarder.sol',
  TestToken: 'test-tokens/TestToken.sol',
};

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

function resolve(path) {
  try {
    return { contents: read(path.startsWith('@') ? require.resolve(path) : new URL(path, here)) };
  } catch (error) {
    return { error: error.message };
  }
}

function read(location) {
  return readFileSync(location, 'utf8').replaceAll('\r\n', '\n');
}
