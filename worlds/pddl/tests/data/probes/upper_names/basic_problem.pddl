(define (problem basic-problem)
 (:domain basic-domain)
 (:objects
   Kitchen - location
 )
 (:init
              (= (danger_zone_count) 0)
 )
 (:goal (and 
           (done)
        )
 )
)
