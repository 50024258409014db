import { describe, expect, it } from '@jest/globals';
import { sampleNetwork } from '../../testing/sample-configuration.js';
import { InvalidNetworksConfiguration } from './configuration-reader.js';
import { parseNetworksConfiguration } from './parse-networks-configuration.js';
import { validJsonPrefixLength, parseNetworksFile } from './parse-networks-file.js';

describe('Reading the file of networks', () => {
  it('reads what its JSON says', () => {
    expect(parseNetworksFile(JSON.stringify([sampleNetwork()]))).toEqual(
      parseNetworksConfiguration([sampleNetwork()]),
    );
  });

  it.each([
    ['[\n  {"rpc_urls": ["https://x/KEY",]}\n]', 'line 2, column 33'],
    ['[{"rpc_urls": [https://x/KEY]}]', 'line 1, column 16'],
    ['[{"rpc_urls": ["https://x/KEY]}]\n', 'line 1, column 16'],
    ['[{"rpc_urls": ["https://x/KEY"], 1: 2}]', 'line 1, column 34'],
    ['[{"a": "KEY"]', 'line 1, column 13'],
    ['["KEY"] ["KEY"]', 'line 1, column 9'],
    ['', 'line 1, column 1'],
    ['\uFEFF[]', 'line 1, column 1'],
  ])('names line and column of an error, and quotes nothing: %j', (text, place) => {
    expect(() => parseNetworksFile(text)).toThrow(
      new InvalidNetworksConfiguration(place, 'is not valid JSON'),
    );
  });

  it('finds the end of the valid part of a text that is cut short', () => {
    const whole = JSON.stringify(
      [{ a: [], b: {}, 'c"\\': [1.5e-7, -0, true, null, 'é\u0001\u007f😀\ud800'] }, [[0]]],
      null,
      2,
    );

    expect(validJsonPrefixLength(whole)).toBe(whole.length);
    for (let length = 0; length < whole.length; length += 1) {
      expect(whole.slice(validJsonPrefixLength(whole.slice(0, length)), length)).toMatch(
        /^(?:".*|-|.*[a-z.]|.*e-)?$/s,
      );
    }
  });
});
