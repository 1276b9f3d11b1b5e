(define (domain basic-domain)
 (:requirements :strips :negative-preconditions :conditional-effects)
 (:predicates
             (x)
             (y)
             (done)
 )
 (:action set
  :parameters ()
  :effect (and (y)))
 (:action order_td
  :parameters ()
  :effect (and (x) (not (x))))
 (:action order_dt
  :parameters ()
  :effect (and (not (x)) (x)))
 (:action condclash
  :parameters ()
  :effect (and (x) (when (y) (not (x)))))
 (:action swap
  :parameters ()
  :effect (and (when (y) (x)) (when (not (y)) (not (x))) (when (x) (y)) (when (not (x)) (not (y)))))
 (:action probe
  :parameters ())
 (:action finish
  :parameters ()
  :precondition (and (x))
  :effect (and (done)))
)
