import type { Translations } from './translation.js';

/** Webhooks, and the log of what was sent to them. */
export const WEBHOOK_WORDS = {
  'Register a webhook': ['Registrar un webhook', 'Registrar um webhook'],
  Register: ['Registrar', 'Registrar'],
  'Webhooks of all accounts, oldest first': [
    'Webhooks de todas las cuentas, primero los más antiguos',
    'Webhooks de todas as contas, primeiro os mais antigos',
  ],
  'No webhook is registered.': ['No hay ningún webhook registrado.', 'Não há nenhum webhook registrado.'],
  'A webhook tells your systems what happened to a payment, within moments.': [
    'Un webhook avisa a los sistemas propios de lo que pasó con un pago, en unos instantes.',
    'Um webhook avisa seus sistemas do que aconteceu com um pagamento, em instantes.',
  ],
  'The webhook is deleted. Nothing is sent to it any more.': [
    'El webhook se eliminó. Ya no se le envía nada.',
    'O webhook foi excluído. Nada mais é enviado a ele.',
  ],
  URL: ['URL', 'URL'],
  'A public https address. Deliveries are posted to it; it answers with HTTP 200 within 2 seconds.': [
    'Una dirección https pública. Las entregas se envían allí por POST; responde con HTTP 200 en 2 segundos.',
    'Um endereço https público. As entregas são enviadas a ele por POST; ele responde com HTTP 200 em 2 segundos.',
  ],
  'Hears of': ['Recibe avisos de', 'Recebe avisos de'],
  'Incoming transfers': ['Transferencias entrantes', 'Transferências recebidas'],
  'For your own use; it may stay empty.': [
    'Para uso propio; puede quedar vacío.',
    'Para seu próprio uso; pode ficar vazio.',
  ],
  'Not sent to': ['No se le envía', 'Sem envio'],
  'for 5 days': ['desde hace 5 días', 'há 5 dias'],
  'Webhook secret': ['Secreto del webhook', 'Segredo do webhook'],
  'Deliveries to {url} are signed with this secret. Your receiver needs it to check that they come from here.':
    [
      'Las entregas a {url} se firman con este secreto. El receptor lo necesita para comprobar que vienen de aquí.',
      'As entregas para {url} são assinadas com este segredo. Seu receptor precisa dele para verificar que vêm daqui.',
    ],
  'It is shown only now: loading this page again does not show it. Store it where your receiver reads its secrets.':
    [
      'Se muestra solo ahora: al cargar de nuevo esta página no se muestra. Guardarlo donde el receptor lee sus secretos.',
      'É mostrado só agora: ao carregar esta página de novo não aparece. Guarde-o onde seu receptor lê seus segredos.',
    ],
  'The previous secret signs beside it until {time}.': [
    'El secreto anterior firma junto a él hasta el {time}.',
    'O segredo anterior assina junto com ele até {time}.',
  ],
  'I have stored it': ['Ya lo guardé', 'Já o guardei'],
  'Webhook settings': ['Ajustes del webhook', 'Configurações do webhook'],
  'To the webhook': ['Ir al webhook', 'Ir para o webhook'],
  'Every attempt from now on goes there, also of what waits. The secret stays.': [
    'Desde ahora todos los intentos van allí, también los de lo que espera. El secreto sigue igual.',
    'A partir de agora todas as tentativas vão para lá, também as do que espera. O segredo continua o mesmo.',
  ],
  'Change the URL': ['Cambiar la URL', 'Alterar a URL'],
  'The present secret signs': ['El secreto actual firma', 'O segredo atual assina'],
  'The new secret is shown once, on the next page.': [
    'El secreto nuevo se muestra una vez, en la página siguiente.',
    'O novo segredo é mostrado uma vez, na próxima página.',
  ],
  'for a day, beside the new one': ['durante un día, junto al nuevo', 'por um dia, junto com o novo'],
  'for a week, beside the new one': [
    'durante una semana, junto al nuevo',
    'por uma semana, junto com o novo',
  ],
  'for an hour, beside the new one': ['durante una hora, junto al nuevo', 'por uma hora, junto com o novo'],
  'no more: it has leaked': ['ya no: se ha filtrado', 'não mais: ele vazou'],
  'Delete this webhook for good': ['Eliminar este webhook para siempre', 'Excluir este webhook para sempre'],
  'There is no way back. The log of what was sent stays in the account’s log.': [
    'No hay vuelta atrás. El registro de lo enviado queda en el registro de la cuenta.',
    'Não há volta. O registro do que foi enviado fica no registro da conta.',
  ],
  'It hears of nothing more, and what waits for it ends as failed. It can be replayed later.': [
    'No recibe más avisos, y lo que espera termina como fallido. Se puede repetir más tarde.',
    'Não recebe mais avisos, e o que espera termina como falho. Pode ser repetido mais tarde.',
  ],
  'It hears of what happens from now on. What it missed can be replayed.': [
    'Recibe avisos de lo que pase desde ahora. Lo que se perdió se puede repetir.',
    'Recebe avisos do que acontecer a partir de agora. O que perdeu pode ser repetido.',
  ],
  'Give it a new secret': ['Darle un secreto nuevo', 'Dar um novo segredo'],
  'The previous secret signs beside the present one until {time}. End it once your receiver knows the new one; then the secret can be rotated again.':
    [
      'El secreto anterior firma junto al actual hasta el {time}. Terminarlo cuando el receptor conozca el nuevo; después el secreto se puede renovar otra vez.',
      'O segredo anterior assina junto com o atual até {time}. Encerre-o quando seu receptor conhecer o novo; depois o segredo pode ser renovado outra vez.',
    ],
  'Let only the new secret sign': ['Dejar que solo firme el nuevo', 'Deixar só o novo assinar'],
  'The test was sent. What came of it is the newest entry of the log.': [
    'La prueba se envió. Su resultado es la entrada más reciente del registro.',
    'O teste foi enviado. O resultado é a entrada mais recente do registro.',
  ],
  'The delivery is sent again. Its attempt stands in the log in a moment: load the page again.': [
    'La entrega se envía de nuevo. Su intento aparece en el registro en un momento: cargar la página de nuevo.',
    'A entrega é enviada de novo. A tentativa aparece no registro em um momento: carregue a página de novo.',
  ],
  'The events are sent again, those of one payment one after another.': [
    'Los eventos se envían de nuevo, los de un mismo pago uno tras otro.',
    'Os eventos são enviados de novo, os de um mesmo pagamento um após o outro.',
  ],
  'The URL is changed. Every attempt from now on goes there.': [
    'La URL se cambió. Desde ahora todos los intentos van allí.',
    'A URL foi alterada. A partir de agora todas as tentativas vão para lá.',
  ],
  'Its secret was shown, and cannot be shown again. If it is lost, rotate it in the settings.': [
    'Su secreto ya se mostró y no se puede mostrar de nuevo. Si se pierde, renovarlo en los ajustes.',
    'Seu segredo já foi mostrado e não pode ser mostrado de novo. Se for perdido, renove-o nas configurações.',
  ],
  'The webhook is active. It hears of what happens from now on.': [
    'El webhook está activo. Recibe avisos de lo que pase desde ahora.',
    'O webhook está ativo. Recebe avisos do que acontecer a partir de agora.',
  ],
  'The webhook is inactive. Nothing is sent to it.': [
    'El webhook está inactivo. No se le envía nada.',
    'O webhook está inativo. Nada é enviado a ele.',
  ],
  'Only the new secret signs from now on.': [
    'Desde ahora solo firma el secreto nuevo.',
    'A partir de agora só o novo segredo assina.',
  ],
  'Webhook id': ['Id del webhook', 'Id do webhook'],
  Health: ['Salud', 'Saúde'],
  Registered: ['Registrado', 'Registrado'],
  'Previous secret signs until': ['El secreto anterior firma hasta', 'O segredo anterior assina até'],
  'Send a test': ['Enviar una prueba', 'Enviar um teste'],
  'Replay events': ['Repetir eventos', 'Repetir eventos'],
} as const satisfies Translations;
