/** How long a payer has, from creation, in seconds (specification: about 8 minutes). */
export class PaymentWindow {
  constructor(readonly seconds: number) {}
}
