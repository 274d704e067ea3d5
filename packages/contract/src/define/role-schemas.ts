/** The schemas of roles and user types: apart from their rules, which the console needs before it checks anything. */
import { z } from 'zod'
import { roles, userTypes } from './roles.ts'

export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

export const UserType = z.enum(userTypes)
export type UserType = z.infer<typeof UserType>
