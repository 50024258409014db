/** How long a payer has, from creation, in seconds (docs/api/payments.md, "Window and deadline"). */
export class PaymentWindow {
  constructor(readonly seconds: number) {}
}
