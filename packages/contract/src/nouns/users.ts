/** People who sign in (EN-USER, EN-UPROP rows). */
import { z } from 'zod'
import { fill, texts } from '../define/texts.ts'
import { Role, UserType } from './roles.ts'

/** 3 to 255 ASCII letters, digits and @ . + - _, compared without case (VA-USER-01, -02, GAP-USER-05). */
export const Username = z
  .string()
  .min(3)
  .max(255)
  .regex(/^[A-Za-z0-9@.+_-]+$/)

export const UserContact = z.object({
  email: z.string(),
  phone: z.string(),
  firstName: z.string(),
  lastName: z.string(),
})
export type UserContact = z.infer<typeof UserContact>

const personName = z
  .string()
  .refine((name) => name.length >= 2 && name.length <= 255, { message: fill(texts.between, [2, 255]) })

/** What a person may say of himself (VA-USER-03, -04, -10, -12). */
export const UserContactChange = z.strictObject({
  email: z.union([z.literal(''), z.email()], { message: texts.email }),
  phone: z
    .string()
    .max(32)
    .refine((phone) => /^[0-9]*$/.test(phone), { message: texts.digits }),
  firstName: personName.refine((name) => /^\p{Lu}/u.test(name), {
    message: 'First name must start uppercase',
  }),
  lastName: personName,
})
export type UserContactChange = z.infer<typeof UserContactChange>

export const User = z.object({
  id: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  userType: UserType,
  label: z.string().max(30),
  active: z.boolean(),
  SSO: z.boolean(),
  ODA: z.boolean(),
  passwordExpirationPolicy: z.enum(['never', '30', '60', '90', '180']),
  passwordExpirationDate: z.string().nullable(),
  inventories: z.array(z.string()),
  groups: z.array(z.string()),
  updateConsent: z.record(z.string(), z.boolean()),
  roles: z.array(Role),
  features: z.array(z.string()),
  contact: UserContact,
})
export type User = z.infer<typeof User>
