import { describe, expect, it } from '@jest/globals';
import { faultsOfWording, WORDING_RULES } from '../../scripts/wording-rules.mjs';

const rulesBrokenBy = (text: string) => faultsOfWording(text).map(({ rule }) => rule.name);

describe('The check of wording', () => {
  it.each(WORDING_RULES)('finds a fault and accepts its correction: $name', ({ name, wrong, right }) => {
    expect(rulesBrokenBy(wrong)).toContain(name);
    expect(rulesBrokenBy(right)).toEqual([]);
  });
});
