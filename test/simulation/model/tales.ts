import { expect, it } from '@jest/globals';
import { ToldHistory } from './told-history.js';

/** A short history. `More` is what the tales of one file begin with: a webhook, a payment. */
export type Tale<More = undefined> = (told: ToldHistory, more: More) => void;

type Beginning<More> = (told: ToldHistory) => More;

/** Asserts that each tale is allowed, also minutes later. */
export function takes(tales: Readonly<Record<string, Tale>>): void;
export function takes<More>(tales: Readonly<Record<string, Tale<More>>>, begin: Beginning<More>): void;
export function takes<More>(tales: Readonly<Record<string, Tale<More>>>, begin?: Beginning<More>): void {
  it.each(Object.entries(tales))('takes: %s', (_, tale) => {
    const told = new ToldHistory();
    tale(told, begin?.(told) as More);
    told.pass(300);
    expect(told.found).toEqual([]);
  });
}

type Wrong<More> = Readonly<Record<string, readonly [rule: string, tale: Tale<More>]>>;

/** Asserts that each tale differs by its rule. */
export function finds(tales: Wrong<undefined>): void;
export function finds<More>(tales: Wrong<More>, begin: Beginning<More>): void;
export function finds<More>(tales: Wrong<More>, begin?: Beginning<More>): void {
  it.each(Object.entries(tales))('finds: %s', (_, [rule, tale]) => {
    const told = new ToldHistory();
    tale(told, begin?.(told) as More);
    expect(told.wrong()).toContain(rule);
  });
}
