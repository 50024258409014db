import type { MessageCatalogue } from '#shared/web/messages/languages.js';
import type { PayerPageMessages } from '../../checkout/pages/checkout-page-props.js';

const ENGLISH_TEXTS = {
  payHere: (merchant: string): string => `Pay at ${merchant}`,
  nothingYet: 'Nothing to pay yet',
  nothingYetNote: 'This page updates automatically when the cashier enters your amount.',
  typeAmount: 'Enter the amount',
  amountIn: (coin: string): string => `Amount in ${coin}`,
  coin: 'Currency',
  goOn: 'Continue',
  deleteDigit: 'Delete last digit',
  padLabel: 'Digits',
  goOnNote: 'You choose what to pay with on the next page. The time to pay starts there.',
  gone: 'This payment is complete or has expired',
  goneNote: 'Ask at the till. This page updates automatically when there is a new payment.',
  ownPayment: (price: string): string => `Continue with your payment of ${price}`,
  refused: {
    not_a_decimal: 'Enter the amount in digits without a thousands separator, for example 1250 or 12.50.',
    ambiguous_amount: 'This amount can be read in two ways. Enter it like 1250, 1.25 or 1.2500.',
    too_many_decimals: 'The amount has too many decimal places.',
    not_positive: 'Enter an amount above zero.',
    too_large: 'This amount is too large.',
    minimum_amount: 'This amount is below the minimum.',
  } as Readonly<Record<string, string>>,
  refusedOtherwise: 'This amount cannot be paid here.',
};

type TillCodeTexts = typeof ENGLISH_TEXTS;

const SPANISH_TEXTS: TillCodeTexts = {
  payHere: (merchant) => `Pagar en ${merchant}`,
  nothingYet: 'Todavía no hay nada que pagar',
  nothingYetNote: 'Esta página se actualiza automáticamente cuando se introduce tu importe en la caja.',
  typeAmount: 'Introduce el importe',
  amountIn: (coin) => `Importe en ${coin}`,
  coin: 'Moneda',
  goOn: 'Continuar',
  deleteDigit: 'Borrar la última cifra',
  padLabel: 'Cifras',
  goOnNote: 'En la página siguiente eliges con qué pagar. Ahí empieza el tiempo para pagar.',
  gone: 'Este pago está completado o ha caducado',
  goneNote: 'Pregunta en la caja. Esta página se actualiza automáticamente cuando hay un pago nuevo.',
  ownPayment: (price) => `Continuar con tu pago de ${price}`,
  refused: {
    not_a_decimal: 'Escribe el importe en cifras, sin separador de miles; por ejemplo, 1250 o 12,50.',
    ambiguous_amount: 'Este importe puede leerse de dos maneras. Escríbelo como 1250, 1,25 o 1,2500.',
    too_many_decimals: 'El importe tiene demasiados decimales.',
    not_positive: 'Escribe un importe mayor que cero.',
    too_large: 'Este importe es demasiado alto.',
    minimum_amount: 'Este importe es inferior al mínimo.',
  },
  refusedOtherwise: 'Este importe no se puede pagar aquí.',
};

const PORTUGUESE_TEXTS: TillCodeTexts = {
  payHere: (merchant) => `Pagar em ${merchant}`,
  nothingYet: 'Ainda não há nada a pagar',
  nothingYetNote: 'Esta página se atualiza automaticamente quando o seu valor é digitado no caixa.',
  typeAmount: 'Digite o valor',
  amountIn: (coin) => `Valor em ${coin}`,
  coin: 'Moeda',
  goOn: 'Continuar',
  deleteDigit: 'Apagar o último dígito',
  padLabel: 'Dígitos',
  goOnNote: 'Na próxima página você escolhe com o que pagar. O tempo para pagar começa lá.',
  gone: 'Este pagamento foi concluído ou expirou',
  goneNote: 'Pergunte no caixa. Esta página se atualiza automaticamente quando há um novo pagamento.',
  ownPayment: (price) => `Continuar com seu pagamento de ${price}`,
  refused: {
    not_a_decimal: 'Digite o valor em algarismos, sem separador de milhares; por exemplo, 1250 ou 12,50.',
    ambiguous_amount: 'Este valor pode ser lido de duas formas. Digite-o como 1250, 1,25 ou 1,2500.',
    too_many_decimals: 'O valor tem casas decimais demais.',
    not_positive: 'Digite um valor maior que zero.',
    too_large: 'Este valor é alto demais.',
    minimum_amount: 'Este valor está abaixo do mínimo.',
  },
  refusedOtherwise: 'Este valor não pode ser pago aqui.',
};

export const TILL_CODE_MESSAGES: MessageCatalogue<TillCodeTexts> = {
  en: ENGLISH_TEXTS,
  es: SPANISH_TEXTS,
  pt: PORTUGUESE_TEXTS,
};

export type TillCodeText = PayerPageMessages & TillCodeTexts;
