import type { MessageCatalogue } from '#shared/web/messages/languages.js';

interface ReceivedPaymentText {
  readonly merchant: string;
  readonly price: string;
  readonly paid: string;
  readonly network: string;
}

interface ReceiptMailTexts {
  readonly subject: (merchant: string) => string;
  readonly received: (facts: ReceivedPaymentText) => string;
  readonly receipt: string;
  readonly later: string;
  readonly why: (merchant: string) => string;
  readonly unsubscribe: (merchant: string) => string;
}

export const RECEIPT_MAIL_TEXTS: MessageCatalogue<ReceiptMailTexts> = {
  en: {
    subject: (merchant) => `Receipt from ${merchant}`,
    received: ({ merchant, price, paid, network }) =>
      `${merchant} received ${paid} on ${network} for ${price}.`,
    receipt: 'View receipt',
    later: 'The receipt is updated later, for example if the payment is refunded.',
    why: (merchant) =>
      `This address was entered to receive the receipt of a payment to ${merchant}. The receipt is sent once, and the address is not stored.`,
    unsubscribe: (merchant) => `Stop emails about payments to ${merchant}`,
  },
  es: {
    subject: (merchant) => `Recibo de ${merchant}`,
    received: ({ merchant, price, paid, network }) =>
      `${merchant} recibió ${paid} en ${network} por ${price}.`,
    receipt: 'Ver recibo',
    later: 'El recibo se actualiza después; por ejemplo, si el pago se reembolsa.',
    why: (merchant) =>
      `Esta dirección se indicó para recibir el recibo de un pago a ${merchant}. El recibo se envía una sola vez y la dirección no se guarda.`,
    unsubscribe: (merchant) => `Dejar de recibir correos sobre pagos a ${merchant}`,
  },
  pt: {
    subject: (merchant) => `Recibo de ${merchant}`,
    received: ({ merchant, price, paid, network }) =>
      `${merchant} recebeu ${paid} na rede ${network} por ${price}.`,
    receipt: 'Ver recibo',
    later: 'O recibo é atualizado depois; por exemplo, se o pagamento for reembolsado.',
    why: (merchant) =>
      `Este endereço foi informado para receber o recibo de um pagamento a ${merchant}. O recibo é enviado uma única vez e o endereço não é guardado.`,
    unsubscribe: (merchant) => `Parar de receber e-mails sobre pagamentos a ${merchant}`,
  },
};
