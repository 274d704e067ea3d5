/** Users (EN-USER, EN-UPROP rows). */

import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { rule } from '../define/refusals.ts'
import { Role, UserType } from '../define/role-schemas.ts'

/** 3 to 255 ASCII letters, digits and @ . + - _, compared without case (VA-USER-01, -02, GAP-USER-05). */
export const Username = z
  .string()
  .min(3, rule('text.atLeast', { least: 3 }))
  .max(255, rule('text.atMost', { most: 255 }))
  .regex(/^[A-Za-z0-9@.+_-]+$/, rule('field.pattern'))

export const PASSWORD_MIN = 8
/** Number of last passwords that must not be chosen again, including the present one (VA-USER-07, GAP-USER-02). */
export const PASSWORDS_REMEMBERED = 5
export const LABEL_MAX = 30
/** Most customers, and most groups, of one user. */
export const MEMBERSHIPS_MAX = 200

/**
 * A password has at least 8 characters with a capital, a small letter and a digit or a punctuation mark (VA-USER-05,
 * -06).
 */
export const Password = z
  .string()
  .max(1024)
  .refine((password) => password.length >= PASSWORD_MIN, {
    message: rule('text.atLeast', { least: PASSWORD_MIN }),
  })
  .refine(
    (password) => /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password) && /[\p{N}\p{P}\p{S}]/u.test(password),
    {
      message: rule('password.weak'),
    },
  )

/** A new password is given twice (VA-USER-08). */
const twice = { path: ['passwordConfirmation'], message: rule('password.confirmation') }
const isTwice = (given: { password: string; passwordConfirmation: string }): boolean =>
  given.password === given.passwordConfirmation

export const NewPassword = z
  .strictObject({ password: Password, passwordConfirmation: z.string() })
  .refine(isTwice, twice)

export const OwnNewPassword = z
  .strictObject({ oldPassword: z.string().max(1024), password: Password, passwordConfirmation: z.string() })
  .refine(isTwice, twice)

/** Days until a password expires (GAP-USER-06). */
export const PasswordExpirationPolicy = z.enum(['never', '30', '60', '90', '180'])
export type PasswordExpirationPolicy = z.infer<typeof PasswordExpirationPolicy>

export const UserContact = z.object({
  email: z.string(),
  phone: z.string(),
  firstName: z.string(),
  lastName: z.string(),
})
export type UserContact = z.infer<typeof UserContact>

// Each rule is only reported when those before it are satisfied.
const personName = z
  .string()
  .min(1, { error: rule('field.required'), abort: true })
  .refine((name) => name.length >= 2 && name.length <= 255, {
    message: rule('text.between', { least: 2, most: 255 }),
    abort: true,
  })

/** Personal data of users (VA-USER-03, -04, -10, -12). */
export const UserContactChange = z.strictObject({
  // The text three times: a form shows the fault of the first alternative, core that of the whole.
  email: z.union(
    [z.literal('', rule('address.email')), z.email(rule('address.email'))],
    rule('address.email'),
  ),
  phone: z
    .string()
    .max(32)
    .refine((phone) => /^[0-9]*$/.test(phone), { message: rule('text.digits') }),
  firstName: personName.refine((name) => /^\p{Lu}/u.test(name), {
    message: rule('user.firstNameUppercase'),
  }),
  lastName: personName,
})
export type UserContactChange = z.infer<typeof UserContactChange>

/** The consents that users give or withhold (GAP-USER-03). */
const ConsentChange = z.strictObject({ termsOfUse: z.boolean(), marketing: z.boolean() }).partial()
export const consents = ConsentChange.keyof().options
export type Consent = (typeof consents)[number]

/** Services that belong to a user, not to their customer (RO-PERM-37). */
export const UserService = z.enum(['tally'])
export type UserService = z.infer<typeof UserService>

export const User = z.object({
  id: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  userType: UserType,
  label: z.string().max(LABEL_MAX),
  active: z.boolean(),
  SSO: z.boolean(),
  ODA: z.boolean(),
  passwordExpirationPolicy: PasswordExpirationPolicy,
  passwordExpirationDate: z.string().nullable(),
  inventories: z.array(z.string()),
  groups: z.array(z.string()),
  updateConsent: z.record(z.string(), z.boolean()),
  updateConsentDates: z
    .record(z.string(), IsoTime)
    .describe('When each consent was given or withdrawn; none for one that is older than these dates'),
  roles: z.array(Role),
  features: z.array(z.string()),
  services: z.array(UserService),
  contact: UserContact,
})
export type User = z.infer<typeof User>

const administered = {
  ...UserContactChange.shape,
  userType: UserType,
  label: z.string().max(LABEL_MAX, rule('text.atMost', { most: LABEL_MAX })),
  active: z.boolean(),
  ODA: z.boolean(),
  passwordExpirationPolicy: PasswordExpirationPolicy,
  services: z.array(UserService).max(8),
  inventories: z
    .array(z.string().max(64))
    .max(MEMBERSHIPS_MAX)
    .refine((ids) => ids.length > 0, { message: rule('user.noInventory') }),
  groups: z.array(z.string().max(64)).max(MEMBERSHIPS_MAX),
}

/** Changes by an administrator to a user; fields that are not named keep their value. */
export const UserChange = z.strictObject({
  ...z.object(administered).partial().shape,
  roles: z.array(Role).max(16).optional().describe('Roles in addition to the one of the user type'),
})
export type UserChange = z.infer<typeof UserChange>

export const UserCreation = z
  .strictObject({
    ...administered,
    username: Username,
    password: Password,
    passwordConfirmation: z.string(),
    email: administered.email.default(''),
    phone: administered.phone.default(''),
    roles: z.array(Role).max(16).default([]).describe('Roles in addition to the one of the user type'),
    label: administered.label.default(''),
    active: administered.active.default(true),
    ODA: administered.ODA.default(false),
    services: administered.services.default([]),
    passwordExpirationPolicy: PasswordExpirationPolicy.default('never'),
    groups: administered.groups.default([]),
  })
  .refine(isTwice, twice)
export type UserCreation = z.infer<typeof UserCreation>

/** Changes by users to their own data; core keeps the date of each change of a consent. */
export const OwnUserChange = z.strictObject({
  ...UserContactChange.partial().shape,
  updateConsent: ConsentChange.optional(),
})
export type OwnUserChange = z.infer<typeof OwnUserChange>

/** Columns for searching and sorting the list of users; `name` finds user name, first and last name. */
export const userKeys = ['name', 'username', 'firstName', 'lastName', 'email', 'label', 'userType'] as const
export type UserKey = (typeof userKeys)[number]
