/// Every sentence of the console. The switch in `ConsolePhrase+Texts.swift` makes a missing one an error of the compiler.
enum ConsolePhrase: Sendable, CaseIterable {
    case product, skip, navigation, language, otherLanguage, signedInAs, signOut
    case signIn, signInLead, key, keyHint, keyWrong, cookieLost, tooManyAttempts, noConsoleForApps
    case overview, sessions, usage, audit
    case forbidden, forbiddenLead, notFound, notFoundLead, failed, failedLead, refused, refusedLead, formExpired
    case toStart, inTime
    case sessionsPerMinute, sessionsPerMinuteText, created, minute, nothingHappened, asTable, sinceStart
    case lastMinute, lastMinutes, latency, latencyText, median, in95, in99, submissions, window, underMilliseconds,
        beyond
    case verifiers, verifier, kind, ready, yes, no, circuit, held, running, call, calls, failures, lastFailure,
        simulated
    case circuitsText, openSessions, tryAgainAt, heldUntil
    case certifications, certification, holder, program, number, validUntil, daysLeft, dayLeft, daysOver, none,
        noneCertified
    case keys, keysText, keyName, keyUse, keySeals, keyOpens, keyReceives, alarms, alarm, subject, noAlarms
    case configuration, configurationVersion, loadedAt, lastReload, neverReloaded, reloadApplied, reloadRefused
    case budgets, budgetsText, period, counted, used, promised, softLimit, hardLimit, allOfThem, withinBudget
    case softReached, hardReached
    case problem, place, line, storeReady, storeNotReady, clockDisputed, state, configurationDocument
    case search, searchLead, sessionID, reference, status, reason, any, show, found, noneFound, older, client, purpose
    case createdAt, endedAt, referenceHint, invalidSearch
    case session, summary, checks, check, outcome, why, callsOfSession, callsOfSessionText, at, role, event, billed
    case verdictFrom, documentType, rule, passedOver, submittedAt, expiresAt, failure, cancelled, erasedAt, waiting
    case back, noChecksYet, noCalls, quantity, providerReference, noClaimsHere

    case usageOf, month, previous, next, monthClosed, closedUnsettled, monthRuns, monthOpen, noPrices, downloads
    case csvByVerifier, csvByDay, statement, closeMonth, closeLead, note, noteHint, closeWithUnsettled, closeSure
    case notClosed, notEnded, closedAlready, closeFirst, overtaken, clocksDisagree, notClosedUnsettled, unsettledCall
    case noCallsInMonth, expectedInvoices, expectedInvoicesText, perProvider
    case perProviderText, perDay, attempts, amountIn, totalToPay, taxIncluded, verified, rejected, failedCount
    case costPerVerified, primaryOnly, uncertain, uncertainText, unpriced, unpricedText, billable, terms, net, tax
    case total, sum, amount, day, corrections, correctionsText, lateUnpriced, correctedMonth, adjustment, lateCall
    case half, most, others, attemptsPerDay, amountPerDay, sameAsTable
    case loadInvoice, noInvoiceFormats, loadInvoiceLead, invoiceFile, compare, invoiceUnreadable, invoiceOf
    case backToMonth, accepted, invoiceAgrees, invoiceDiffers, differencesFile, totalsByClass, finding, meaning, lines
    case difference, lineOfInvoice, theirs, ours, moreInFile, accept, acceptLead, acceptWhich, acceptNote
    case meansMatched, meansAmountDiffers, meansMonthDiffers, meansTheirsOnly, meansOursOnly, meansDuplicate
    case meansUncertain, meansUnpriced

    case auditLead, chain, chainHolds, chainPartly, chainBroken, chainSince, chainHead, chainText, proveAnew
    case auditEvents, noAuditEvents, auditFile, action, actor, actorHint, sequence, hash, auditCount
}
