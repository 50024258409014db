import type { Translations } from '../../messages/languages.js';

export const FORM_WORDS = {
  'More options': ['Más opciones', 'Mais opções'],
  Filter: ['Filtrar', 'Filtrar'],
  'Clear filters': ['Quitar filtros', 'Limpar filtros'],
  All: ['Todos', 'Todos'],
  'Check the highlighted fields.': ['Revisa los campos señalados.', 'Revise os campos destacados.'],
  'Use a passkey instead': ['Usar una llave de acceso en su lugar', 'Usar uma chave de acesso em vez disso'],
  'One-time code': ['Código de un solo uso', 'Código de uso único'],
  'Enter a code from your authenticator app, or a recovery code.': [
    'Escribe un código de tu aplicación de autenticación o un código de recuperación.',
    'Digite um código do seu aplicativo autenticador ou um código de recuperação.',
  ],
  'Choose one, or search again': ['Elige una opción o busca de nuevo', 'Escolha uma opção ou busque de novo'],
  '{total} matches. Type more of the name, then submit to choose.': [
    '{total} coincidencias. Escribe más letras del nombre y envía el formulario para elegir.',
    '{total} resultados. Digite mais letras do nome e envie o formulário para escolher.',
  ],
  '{total} to choose from. Type part of the name, then submit to choose.': [
    'Hay {total} opciones. Escribe parte del nombre y envía el formulario para elegir.',
    'Há {total} opções. Digite parte do nome e envie o formulário para escolher.',
  ],
  Save: ['Guardar', 'Salvar'],
  Activate: ['Activar', 'Ativar'],
  Deactivate: ['Desactivar', 'Desativar'],
  'From (UTC)': ['Desde (UTC)', 'De (UTC)'],
  'To (UTC)': ['Hasta (UTC)', 'Até (UTC)'],
  'Tax id (optional)': ['Número fiscal (opcional)', 'Número fiscal (opcional)'],
  Cancel: ['Cancelar', 'Cancelar'],
  'Time zone': ['Zona horaria', 'Fuso horário'],
  'Payment number': ['Número de pago', 'Número do pagamento'],
  From: ['Desde', 'De'],
  Delete: ['Eliminar', 'Excluir'],
  Confirm: ['Confirmar', 'Confirmar'],
  Description: ['Descripción', 'Descrição'],
  'Show all': ['Mostrar todo', 'Mostrar tudo'],
} as const satisfies Translations;
