import { type Chain, Chains } from '../contract/chains.js';

/** Has the same chain for every network. The parts that a test does not use are absent. */
export class SameChain extends Chains {
  constructor(private readonly chain: Partial<Chain>) {
    super();
  }

  find(): Chain {
    return this.chain as Chain;
  }
}
